import { eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('the composer', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  async function inSpace(options = {}) {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`, options)
    const texts = async () => {
      await eventually(async () => (await one.page.getByText('Sending…').count()) === 0)
      const events: { text: string }[] = await server.as(ada).get(`${path}/events`).expect(200)
      return events.map(({ text }) => text)
    }
    return { one, path, ada, field: fieldOf(one), texts }
  }

  const fieldOf = (one: Person) => one.page.getByRole('textbox', { name: /^Message to/ })

  it('keeps the indentation of the first line, and sends a code block once it is closed', async () => {
    const { one, field, texts } = await inSpace()
    await field.fill('\n    indented\n  ')
    await field.press('Enter')
    await one.sees('indented')
    await field.fill('```')
    await field.press('Enter')
    await field.pressSequentially('closed')
    await field.press('Enter')
    await field.pressSequentially('```')
    await field.press('Enter')
    await one.sees('closed')
    await field.fill('~~~\nopen')
    await field.press('Enter')
    await field.press('Control+Enter')
    await one.sees('open')
    expect(await texts()).toEqual(['    indented', '```\nclosed\n```', '~~~\nopen'])
  })

  it('starts a line on Enter on a touch keyboard', async () => {
    const { one, field, texts } = await inSpace({ hasTouch: true, isMobile: true })
    await field.fill('one')
    await field.press('Enter')
    await field.pressSequentially('two')
    expect(await field.getAttribute('enterkeyhint')).toBe('enter')
    await one.page.getByRole('button', { name: 'Send', exact: true }).click()
    await one.sees('two')
    expect(await texts()).toEqual(['one\ntwo'])
  })

  it('offers names in scripts without spaces', async () => {
    const { one, path, ada, field, texts } = await inSpace()
    const ming = await server.registerAgent(ada, '李明')
    await server.as(ming).post(`${path}/join`).expect(200)
    await one.page.reload()
    await field.pressSequentially('请@李')
    await one.page.getByRole('option', { name: /李明/ }).click()
    await field.press('Enter')
    await one.sees('请')
    expect(await texts()).toEqual(['请@李明'])
  })

  it('round-trips the source from "Copy text"', async () => {
    const { one, field } = await inSpace()
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const source = '**重要：** C:\\Users\\_temp'
    await field.fill(source)
    await field.press('Enter')
    await one.sees('重要')
    await one.page.getByText('Sending…').waitFor({ state: 'detached' })
    await one.act('重要', 'Copy text')
    await one.page.getByText('Text copied').waitFor()
    expect(await one.page.evaluate(() => navigator.clipboard.readText())).toBe(source)
  })

  it('has shortcuts in non-Latin keyboard layouts', async () => {
    const { one } = await inSpace()
    const press = (key: string, code: string, init = {}) =>
      one.page.evaluate(
        (event) => window.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true })),
        { key, code, ...init },
      )
    await press('л', 'KeyK', { ctrlKey: true })
    await one.page.getByRole('dialog').waitFor()
    await one.page.keyboard.press('Escape')
    await one.page.getByRole('dialog').waitFor({ state: 'detached' })
    await one.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await press('с', 'KeyC')
    await expect.poll(() => fieldOf(one).evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('renders nested tasks, and characters without ligatures', async () => {
    const { one, field } = await inSpace()
    await field.fill('- [ ] first 1920x1080 DC->hi\n  - [x] second')
    await field.press('Enter')
    await one.sees('second')
    // A confirmed message re-renders.
    await one.page.getByText('Sending…').waitFor({ state: 'detached' })
    const places = await one.history.getByRole('checkbox').evaluateAll((boxes) =>
      boxes.map((box) => {
        const { left, top } = box.getBoundingClientRect()
        return { left, top }
      }),
    )
    const [outer, inner] = places
    expect(inner?.top).toBeGreaterThan(outer?.top ?? Number.POSITIVE_INFINITY)
    expect(inner?.left).toBeGreaterThan(outer?.left ?? Number.POSITIVE_INFINITY)
    const features = () =>
      one.history
        .getByText('1920x1080')
        .last()
        .evaluate((element) => getComputedStyle(element).fontFeatureSettings)
    // An element that was replaced meanwhile has none.
    await expect.poll(features).toContain('"calt" 0')
  })
})

describeInBrowser('a computer without a pointer', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('sends on Enter, as it has a keyboard', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const one = await browser.person()
    await one.context.addInitScript(() => {
      const real = window.matchMedia.bind(window)
      window.matchMedia = (query) => real(/pointer: (fine|coarse)/.test(query) ? 'not all' : query)
    })
    await one.open(`/s/${spaceIdOf(path)}`)
    await one.signIn(ada)
    await one.say('By keyboard alone')
    await one.history.getByText('By keyboard alone').waitFor()
    await one.page.getByText('Sending…').waitFor({ state: 'detached' })
    expect(await server.as(ada).get(`${path}/events`).expect(200)).toMatchObject([{ text: 'By keyboard alone' }])
  })
})

describeInBrowser('a dialog with a text area', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('is submitted on Ctrl+Enter', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    await one.say('We take the train')
    await one.act('We take the train', 'Propose')
    const dialog = one.page.getByRole('dialog')
    const field = dialog.getByRole('textbox').first()
    await field.fill('')
    await field.press('Control+Enter')
    await dialog.waitFor()
    await field.fill('We take the train at nine')
    await field.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const decisions = await server.as(ada).get(`${path}/decisions`).expect(200)
    expect(decisions).toMatchObject([{ text: 'We take the train at nine' }])
  })
})
