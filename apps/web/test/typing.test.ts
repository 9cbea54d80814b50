import { eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { BrowserContextOptions, Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { check } from './support/axe.js'
import { describeInBrowser, useBrowser } from './support/browser.js'

const PHONE = { hasTouch: true, isMobile: true }

describeInBrowser('typing in the composer', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  async function inSpace(options: BrowserContextOptions = {}) {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`, options)
    const field = one.page.getByRole('textbox', { name: /^Message to/ })
    if (options.isMobile) await one.page.setViewportSize({ width: 390, height: 844 })
    const bar = one.page.getByRole('button', { name: 'Formatting' })
    await bar.waitFor()
    const events = (): Promise<{ text: string }[]> => server.as(ada).get(`${path}/events`).expect(200)
    return { one, page: one.page, field, bar, events }
  }

  const select = (field: Locator, words: string) =>
    field.evaluate((element, words) => {
      const area = element as HTMLTextAreaElement
      const start = area.value.indexOf(words)
      area.focus()
      area.setSelectionRange(start, start + words.length)
    }, words)

  it('continues a list, ends it at an empty item, and is undone by the browser', async () => {
    const { field } = await inSpace()
    await field.pressSequentially('- [x] one')
    await field.press('Shift+Enter')
    await field.pressSequentially('two')
    expect(await field.inputValue()).toBe('- [x] one\n- [ ] two')
    await field.press('Shift+Enter')
    await field.press('Shift+Enter')
    await field.pressSequentially('end')
    expect(await field.inputValue()).toBe('- [x] one\n- [ ] two\nend')
    const seen = new Set<string>()
    await eventually(async () => {
      await field.press('Control+z')
      const text = await field.inputValue()
      seen.add(text)
      return text === ''
    })
    expect([...seen]).toContain('- [x] one\n- [ ] two')
  })

  it('formats the selection by keys', async () => {
    const { page, field } = await inSpace()
    await field.fill('take the train')
    await select(field, 'train')
    await field.press('Control+b')
    expect(await field.inputValue()).toBe('take the **train**')
    await field.press('Control+i')
    expect(await field.inputValue()).toBe('take the ***train***')
    await field.press('Control+z')
    await field.press('Control+b')
    expect(await field.inputValue()).toBe('take the train')
    await field.press('Control+e')
    expect(await field.inputValue()).toBe('take the `train`')
    await select(field, 'take')
    await field.press('Control+k')
    await page.keyboard.type('https://a.example')
    expect(await field.inputValue()).toBe('[take](https://a.example) the `train`')
    await field.press('Control+Shift+Digit8')
    await field.press('Control+Shift+Digit9')
    expect(await field.inputValue()).toBe('> - [take](https://a.example) the `train`')
    // Without a selection, the key is that of the palette.
    await field.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
  })

  it('formats by buttons, whose toolbar stays open in this browser', async () => {
    const { one, page, field, bar } = await inSpace()
    await bar.click()
    const tools = page.getByRole('toolbar', { name: 'Formatting' })
    await field.fill('one')
    await select(field, 'one')
    await tools.getByRole('button', { name: 'Strikethrough' }).click()
    expect(await field.inputValue()).toBe('~~one~~')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    for (let n = 0; n < 7; n++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('> ~~one~~')
    await page.reload()
    await tools.getByRole('button', { name: 'Bold' }).waitFor()
    await check(one, 'the buttons that format')
  })

  it('turns pasted rich text into Markdown, and keeps plain text', async () => {
    const { one, page, field } = await inSpace()
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const html = '<h3>Plan</h3><ul><li><b>fly</b><ul><li><a href="https://a.example/">here</a></li></ul></li></ul>'
    const tracked = `${html}<img src="${new URL('/tracked.png', page.url())}">`
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.evaluate(
      (html) =>
        navigator.clipboard.write([
          new ClipboardItem({
            'text/html': new Blob([html], { type: 'text/html' }),
            'text/plain': new Blob(['Plan, fly, here'], { type: 'text/plain' }),
          }),
        ]),
      tracked,
    )
    await field.focus()
    await field.press('Control+v')
    expect(await field.inputValue()).toBe('### Plan\n\n- **fly**\n  - [here](https://a.example/)')
    await field.press('Control+z')
    expect(await field.inputValue()).toBe('')
    await field.press('Control+Shift+v')
    expect(await field.inputValue()).toBe('Plan, fly, here')
    expect(loaded.filter((url) => url.includes('tracked'))).toEqual([])
  })

  it('links the selection to a pasted address', async () => {
    const { one, page, field } = await inSpace()
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(() => navigator.clipboard.writeText('https://a.example/plan'))
    await field.fill('see the plan')
    await select(field, 'the plan')
    await field.press('Control+v')
    expect(await field.inputValue()).toBe('see [the plan](https://a.example/plan)')
    await field.press('Control+v')
    expect(await field.inputValue()).toBe('see [the plan](https://a.example/plan)https://a.example/plan')
  })

  it('previews the rendered message, also by keyboard', async () => {
    const { one, page, field, bar } = await inSpace()
    await field.fill('a **bold** word for @Ada')
    await bar.press('Enter')
    await page.keyboard.press('Tab')
    for (let n = 0; n < 8; n++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.locator('strong').getByText('bold').waitFor()
    await preview.locator('bdi').getByText('@Ada').waitFor()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await check(one, `a preview, ${width} pixels wide`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await field.press('Enter')
    await preview.getByText('Nothing to preview yet.').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview.waitFor({ state: 'detached' })
  })

  it('completes the names of emoji', async () => {
    const { one, page, field } = await inSpace()
    await field.pressSequentially('Yes :thumbs')
    const list = page.getByRole('listbox', { name: 'Emoji' })
    await list.getByRole('option', { name: '👍 thumbs up', exact: true }).waitFor()
    await check(one, 'emoji to choose from')
    await field.press('Enter')
    expect(await field.inputValue()).toBe('Yes 👍')
    await field.pressSequentially(' at 10:30 :tada:')
    expect(await field.inputValue()).toBe('Yes 👍 at 10:30 🎉')
    await field.press('Control+z')
    expect(await field.inputValue()).toBe('Yes 👍 at 10:30 :tada:')
    await field.press('Escape')
    await field.press('Enter')
    await one.sees('Yes 👍 at 10:30 :tada:')
  })

  it('completes the names of emoji in German, too', async () => {
    const { page } = await inSpace()
    await page.evaluate(() => localStorage.setItem('spaces.language', 'de'))
    await page.reload()
    const field = page.getByRole('textbox', { name: /^Nachricht an/ })
    await field.pressSequentially(':konfetti')
    await page.getByRole('option', { name: '🎉 Konfettibombe' }).click()
    expect(await field.inputValue()).toBe('🎉')
  })

  it('sends on Ctrl+Enter in that setting', async () => {
    const { page, field, events } = await inSpace()
    const keys = page.getByRole('group', { name: 'Send a message with' })
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await keys.getByRole('menuitemradio', { name: 'Ctrl+Enter' }).click()
    await page.reload()
    await field.pressSequentially('one')
    await field.press('Enter')
    await field.pressSequentially('two')
    expect(await field.getAttribute('title')).toMatch(/^Ctrl\+Enter to send/)
    await field.press('Control+Enter')
    await eventually(async () => (await events()).length === 1)
    expect(await events()).toMatchObject([{ text: 'one\ntwo' }])
  })

  it('does not send while an input method composes', async () => {
    const { one, page, field, events } = await inSpace()
    await field.focus()
    const session = await one.context.newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 })
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toMatch(/^ni/)
    await session.send('Input.insertText', { text: '你' })
    await field.fill('你好')
    await field.press('Enter')
    await one.sees('你好')
    await eventually(async () => (await events()).length > 0)
    expect(await events()).toMatchObject([{ text: '你好' }])
  })

  it('starts a line on Enter on a phone, and grows in height only', async () => {
    const { page, field, bar } = await inSpace(PHONE)
    const heightOf = async () => (await field.boundingBox())?.height ?? 0
    const one = await heightOf()
    await field.pressSequentially('- one')
    await field.press('Enter')
    await field.pressSequentially('two')
    expect(await field.inputValue()).toBe('- one\n- two')
    const two = await heightOf()
    expect(two).toBeGreaterThan(one)
    await bar.tap()
    const tools = page.getByRole('toolbar', { name: 'Formatting' })
    await tools.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await field.fill('line\n'.repeat(60))
    expect(await heightOf()).toBeLessThan(844 * 0.45)
    for (const button of await tools.getByRole('button').all()) {
      const box = await button.boundingBox()
      expect(box?.width).toBeGreaterThanOrEqual(24)
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
    }
  })
})
