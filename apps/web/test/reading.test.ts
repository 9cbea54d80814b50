import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('who reads a history', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** A space in which these things were said, by Ada. */
  async function spaceWith(...texts: readonly string[]) {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    for (const text of texts) await said(ada, path, text)
    return { ada, path, spaceId: spaceIdOf(path) }
  }

  const said = (actor: Actor, path: string, text: string) =>
    server.as(actor).post(`${path}/speech`, { text }).expect(200)

  it('finds the line that follows another no taller on a clock of 12 hours', async () => {
    const { ada, spaceId } = await spaceWith('one', 'two', 'three')
    const heights = await Promise.all(
      ['en-US', 'de-DE', 'ar', 'zh-CN'].map(async (locale) => {
        const reader = await browser.person({ locale })
        await reader.open(`/s/${spaceId}`)
        await reader.signIn(ada)
        await reader.sees('three')
        const line = reader.history.getByRole('article').last()
        return Math.round((await line.boundingBox())?.height ?? 0)
      }),
    )
    expect(new Set(heights).size).toBe(1)
  })

  it.each([
    ['beside a wide history', 1440],
    ['over a narrow one', 900],
  ])('finds what can be done with a line %s, never on its text, and of one line only', async (_where, width) => {
    const { ada, spaceId } = await spaceWith('one', 'two', 'long '.repeat(200), 'four')
    const reader = await browser.person({ viewport: { width, height: 900 } })
    await reader.open(`/s/${spaceId}`)
    await reader.signIn(ada)
    await reader.sees('four')
    await reader.page.keyboard.press('ArrowUp')
    await reader.history.getByRole('toolbar').waitFor()
    const long = reader.history.getByRole('article').nth(2)
    await long.hover()
    await long.getByRole('toolbar').waitFor()
    expect(await reader.history.getByRole('toolbar').filter({ visible: true }).count()).toBe(1)
    const [bar, text] = await Promise.all([
      long.getByRole('toolbar').boundingBox(),
      long.getByRole('paragraph').boundingBox(),
    ])
    if (!bar || !text) throw new Error('Nothing is shown')
    expect(bar.x >= text.x + text.width || bar.y + bar.height <= text.y + 1).toBe(true)
  })

  it('goes to the newest line by an arrow, wherever the page came from', async () => {
    const { ada, spaceId } = await spaceWith('one', 'two')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('two')
    await reader.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await reader.page.keyboard.press('ArrowUp')
    await reader.page.locator('article:focus').getByText('two').waitFor()
  })

  it('is told how many have come while reading above, until they are seen', async () => {
    const { ada, path, spaceId } = await spaceWith(...Array.from({ length: 40 }, (_, n) => `line ${n}`))
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('line 39')
    await reader.history.evaluate((log) => log.scrollTo({ top: 300 }))
    await reader.page.getByRole('button', { name: 'To the newest' }).waitFor()
    await said(ada, path, 'come meanwhile')
    await said(ada, path, 'and another')
    await reader.page.getByText('2 new').waitFor()
    await reader.page.getByRole('button', { name: 'To the newest' }).click()
    await reader.page.getByText('2 new').waitFor({ state: 'detached' })
    await reader.history.evaluate((log) => log.scrollTo({ top: 300 }))
    await reader.page.getByRole('button', { name: 'To the newest' }).waitFor()
    expect(await reader.page.getByText(/\d new/).count()).toBe(0)
  })

  it('sees tasks with their boxes, and Markdown beside tags', async () => {
    const { ada, spaceId } = await spaceWith('- [x] packed\n- [ ] paid', '<aside> that is **strong**')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.history.locator('strong', { hasText: 'strong' }).waitFor()
    expect(await reader.history.getByRole('checkbox').count()).toBe(2)
    expect(await reader.history.getByRole('list').first().textContent()).toBe('packedpaid')
    await reader.sees('<aside> that is')
  })

  it('prints all of it that was read, and nothing else', async () => {
    const { ada, spaceId } = await spaceWith(...Array.from({ length: 90 }, (_, n) => `line ${n}`))
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('line 89')
    expect(await reader.history.getByRole('article').count()).toBeLessThan(90)
    await reader.page.emulateMedia({ media: 'print' })
    await reader.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    expect(await reader.history.getByRole('article').count()).toBe(90)
    const height = await reader.page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeGreaterThan(2_000)
    for (const role of ['navigation', 'textbox'] as const) {
      expect(await reader.page.getByRole(role).filter({ visible: true }).count()).toBe(0)
    }
    await reader.page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await reader.page.emulateMedia({ media: 'screen' })
    await reader.sees('line 89')
  })
})
