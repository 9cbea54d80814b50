import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a reader of a history', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates a space with these texts by Ada. */
  async function spaceWith(...texts: readonly string[]) {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    for (const text of texts) await post(ada, path, text)
    return { ada, path, spaceId: spaceIdOf(path) }
  }

  const post = (actor: Actor, path: string, text: string) =>
    server.as(actor).post(`${path}/speech`, { text }).expect(200)

  it('sees continued lines at equal height with a 12-hour clock', async () => {
    const { ada, spaceId } = await spaceWith('one', 'two', 'three')
    const heights = await Promise.all(
      ['en-US', 'en-GB', 'en-CA', 'zh-CN'].map(async (locale) => {
        const reader = await browser.comeIn(ada, `/s/${spaceId}`, { locale })
        await reader.sees('three')
        const line = reader.history.getByRole('article').last()
        return Math.round((await line.boundingBox())?.height ?? 0)
      }),
    )
    expect(new Set(heights).size).toBe(1)
  })

  it.each([
    ['in a wide history', 1440],
    ['in a narrow history', 900],
  ])('sees the actions %s of one line only, not over its text', async (_where, width) => {
    const { ada, spaceId } = await spaceWith('one', 'two', 'long '.repeat(200), 'four')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`, { viewport: { width, height: 900 } })
    await reader.sees('four')
    await reader.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
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

  it('selects the newest line by an arrow key after any navigation', async () => {
    const { ada, spaceId } = await spaceWith('one', 'two')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('two')
    await reader.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await reader.page.keyboard.press('ArrowUp')
    await reader.page.locator('article:focus').getByText('two').waitFor()
  })

  it('sees a count of new events while reading above, until they are seen', async () => {
    const { ada, path, spaceId } = await spaceWith(...Array.from({ length: 40 }, (_, n) => `line ${n}`))
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('line 39')
    await reader.history.evaluate((log) => log.scrollTo({ top: 300 }))
    await reader.page.getByRole('button', { name: 'Jump to newest' }).waitFor()
    await post(ada, path, 'come meanwhile')
    await post(ada, path, 'and another')
    await reader.page.getByText('2 new').waitFor()
    await reader.page.getByRole('button', { name: 'Jump to newest' }).click()
    await reader.page.getByText('2 new').waitFor({ state: 'detached' })
    await reader.history.evaluate((log) => log.scrollTo({ top: 300 }))
    await reader.page.getByRole('button', { name: 'Jump to newest' }).waitFor()
    expect(await reader.page.getByText(/\d new/).count()).toBe(0)
  })

  it('sees tasks with checkboxes, and Markdown beside tags', async () => {
    const { ada, spaceId } = await spaceWith('- [x] packed\n- [ ] paid', '<aside> that is **strong**')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.history.locator('strong', { hasText: 'strong' }).waitFor()
    expect(await reader.history.getByRole('checkbox').count()).toBe(2)
    expect(await reader.history.getByRole('list').first().textContent()).toBe('packedpaid')
    await reader.sees('<aside> that is')
  })

  it('prints all loaded events, and no other text', async () => {
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

  it('prints whole texts, without buttons and the open panel', async () => {
    const code = `\`\`\`ts\nconst long = '${'word '.repeat(60)}'\n\`\`\``
    const { ada, spaceId } = await spaceWith(code, Array.from({ length: 60 }, (_, n) => `row ${n}`).join('\n'))
    const reader = await browser.comeIn(ada, `/s/${spaceId}?panel=people`)
    const { page, history } = reader
    await page.getByRole('complementary').waitFor()
    await history.getByText('row 0').waitFor()
    await history.getByRole('article').first().hover()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const shown = (role: 'button' | 'complementary') => page.getByRole(role).filter({ visible: true })
    expect(await shown('complementary').count()).toBe(0)
    // The names of posters remain.
    expect(await shown('button').allTextContents()).toEqual(['Ada'])
    const isCut = (element: Element) =>
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
    expect(await history.locator('pre').evaluate(isCut)).toBe(false)
    expect(
      await history.getByText('row 59').evaluate((row) => row.closest('article')?.offsetHeight ?? 0),
    ).toBeGreaterThan(1_000)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await page.emulateMedia({ media: 'screen' })
  })

  it('sets the density for all accounts on this device', async () => {
    const { ada, spaceId } = await spaceWith('one', 'two', 'three')
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    const heightOf = async () => (await reader.history.getByRole('article').last().boundingBox())?.height ?? 0
    await reader.sees('three')
    const comfortable = await heightOf()
    await reader.page.getByRole('button', { name: 'Account: Ada' }).click()
    await reader.page.getByRole('menuitemradio', { name: 'Compact' }).click()
    await eventually(async () => (await heightOf()) < 0.8 * comfortable)
    const grace = await server.registerHuman('Grace')
    await reader.page.getByRole('button', { name: 'Account: Ada' }).click()
    await reader.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await reader.open(`/s/${spaceId}`)
    await reader.signIn(grace)
    await reader.sees('three')
    expect(await heightOf()).toBeLessThan(0.8 * comfortable)
    await reader.page.keyboard.press('Control+k')
    await reader.page.getByRole('combobox', { name: 'Search or jump to' }).fill('comfortable')
    await reader.page.getByRole('option', { name: 'Density: comfortable' }).click()
    await eventually(async () => (await heightOf()) === comfortable)
  })

  /** Posts a transcript with several speakers as an agent. */
  async function transcript(lines: number) {
    const { ada, path, spaceId } = await spaceWith('before')
    const recorder = await server.registerAgent(ada, 'Recorder')
    const ids: string[] = []
    for (let at = 0; at < lines; at += 100) {
      const events = Array.from({ length: Math.min(100, lines - at) }, (_, n) => ({
        text: `line ${at + n}`,
        speaker_id: `guest-${n % 2}`,
        speaker_name: n % 2 === 0 ? 'Iris' : 'Jon',
        speaker_type: 'transcript',
      }))
      const written = await server.as(recorder).post(`${path}/events/batch`, { events }).expect(200)
      ids.push(...written.map(({ event_id }: { event_id: string }) => event_id))
    }
    await post(ada, path, 'after')
    return { ada, path, spaceId, ids }
  }

  it('sees a transcript as one line with poster and length, which opens in place', async () => {
    const { ada, spaceId } = await transcript(40)
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('after')
    const row = reader.history.getByRole('article', { name: /^40 lines of a transcript, posted by Recorder \(agent\)/ })
    await row.getByText('Iris, Jon').waitFor()
    await row.getByText('line 39').waitFor()
    expect(await reader.times('line 38')).toBe(0)
    await row.getByRole('button', { name: 'Show 40 lines' }).click()
    await reader.sees('line 0')
    const shown = row.getByRole('button', { name: 'Hide 40 lines' })
    expect(await shown.evaluate((button) => button === document.activeElement)).toBe(true)
    await shown.click()
    await reader.history.getByText('line 0', { exact: true }).waitFor({ state: 'detached' })
    // By keyboard: to the line after it, and back.
    await reader.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await reader.page.keyboard.press('ArrowDown')
    await reader.page.locator('article:focus', { hasText: 'after' }).waitFor()
    await reader.page.keyboard.press('ArrowUp')
    await reader.page.locator('article:focus', { hasText: 'Recorder' }).waitFor()
    await reader.page.keyboard.press('Enter')
    await reader.sees('line 0')
  })

  it('follows a link to a line of a transcript, and loads events before a long one', async () => {
    const { ada, spaceId, ids } = await transcript(300)
    const follower = await browser.comeIn(ada, `/s/${spaceId}/e/${ids[150]}`)
    await follower.history.getByText('line 150', { exact: true }).waitFor()
    // All of it is loaded, as the folded row leaves nothing to scroll.
    const reader = await browser.comeIn(await server.registerHuman('Grace'), `/s/${spaceId}`)
    await reader.history.getByRole('button', { name: 'Show 300 lines' }).waitFor()
    await reader.sees('before')
  })
})
