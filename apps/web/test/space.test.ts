import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { loadPastTexts, type PastText } from '@collab-spaces/testing/history'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  async function spaceWith(texts: readonly string[] = []) {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    for (const text of texts) await server.as(ada).post(`${path}/speech`, { text }).expect(200)
    return { ada, path, spaceId: spaceIdOf(path) }
  }

  it('restores the scroll position on return, or stays at its end', async () => {
    const { ada, spaceId } = await spaceWith(Array.from({ length: 60 }, (_, n) => `line ${n}.`))
    const other = spaceIdOf(await server.openSpace(ada))
    await server.as(ada).post(`/api/spaces/${other}/join`).expect(200)
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('line 59.')
    const topOf = async (text: string) => (await reader.history.getByText(text).boundingBox())?.y ?? 0
    const goTo = (space: string) =>
      reader.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: space }).click()
    await reader.history.evaluate((log) => log.scrollTo({ top: 700 }))
    await reader.page.getByRole('button', { name: 'Jump to newest' }).waitFor()
    const seen = await reader.history.evaluate((log) => {
      const edge = log.getBoundingClientRect().top
      const line = [...log.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top >= edge)
      return line?.querySelector('p')?.textContent ?? ''
    })
    const before = await topOf(seen)
    await goTo(other)
    await reader.page.getByText('Start the conversation').waitFor()
    await goTo(spaceId)
    await reader.sees(seen)
    expect(Math.abs((await topOf(seen)) - before)).toBeLessThan(4)
    await reader.page.getByRole('button', { name: 'Jump to newest' }).click()
    await reader.page.getByRole('button', { name: 'Jump to newest' }).waitFor({ state: 'detached' })
    await goTo(other)
    await reader.page.getByText('Start the conversation').waitFor()
    await goTo(spaceId)
    await reader.sees('line 59.')
    expect(await reader.page.getByRole('button', { name: 'Jump to newest' }).count()).toBe(0)
  })

  it('explains that a read-only credential cannot post', async () => {
    const { ada, spaceId } = await spaceWith(['hello'])
    const limits = { name: 'reads', scopes: ['read'] }
    const { token } = await server.as(ada).post('/api/personal-access-tokens', limits).expect(200)
    const reader = await browser.comeIn({ ...ada, api_key: token }, `/s/${spaceId}`)
    await reader.page.getByText('Your credential is read-only').waitFor()
    expect(await reader.page.getByRole('textbox').count()).toBe(0)
  })

  it('shows who added a participant in one line, with a card of each', async () => {
    const { ada, spaceId } = await spaceWith()
    const agent = await server.registerAgent(ada)
    const api = server.as(ada)
    await api.post(`/api/spaces/${spaceId}/participants`, { actor_id: agent.actor_id }).expect(200)
    const { page } = await browser.comeIn(ada, `/s/${spaceId}`)
    const line = page.getByRole('article', { name: /^Ada added Scout, / })
    await line.getByRole('button', { name: 'Scout' }).click()
    await page.getByRole('dialog', { name: 'About Scout' }).waitFor()
    expect((await line.boundingBox())?.height).toBeLessThan(48)
  })

  it('names participants added by one actor in one line, the rest on request', async () => {
    const { ada, spaceId } = await spaceWith()
    const api = server.as(ada)
    for (let n = 1; n <= 6; n++) {
      const { actor_id } = await server.registerAgent(ada, `Scout ${n}`)
      await api.post(`/api/spaces/${spaceId}/participants`, { actor_id }).expect(200)
    }
    const { page } = await browser.comeIn(ada, `/s/${spaceId}`)
    const line = page.getByRole('article', { name: /^Ada added Scout 1, .*Scout 6, / })
    const more = line.getByRole('button', { name: 'and 2 more' })
    await more.waitFor()
    expect(await line.getByRole('button', { name: /^Scout/ }).count()).toBe(4)
    await more.click()
    await line.getByRole('button', { name: 'Scout 6' }).click()
    await page.getByRole('dialog', { name: 'About Scout 6' }).waitFor()
  })

  it('shows the sponsor which event the loop guard refused, until a human posts', async () => {
    const { ada, path, spaceId } = await spaceWith(['go'])
    const agent = await server.registerAgent(ada)
    await server.as(agent).post(`${path}/join`).expect(200)
    await server
      .as(ada)
      .put(`${path}/policy`, { loop_guard: { total: 1 } })
      .expect(200)
    await server.as(agent).post(`${path}/response`, { text: 'one' }).expect(200)
    await server.as(agent).post(`${path}/response`, { text: 'two' }).expect(409)
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    const note = reader.page.getByText('The loop guard refused a message')
    await note.waitFor()
    // Other readers, without a notice, see the reason.
    const other = await browser.comeIn(await server.registerHuman('Grace'), `/s/${spaceId}`)
    const held = other.page.getByText('reached the limit of the loop guard')
    await held.waitFor()
    await reader.say('go on')
    await note.waitFor({ state: 'detached' })
    await held.waitFor({ state: 'detached' })
  })

  it('shows incoming and outgoing links with their types, with large enough targets', async () => {
    const { ada, path, spaceId } = await spaceWith()
    const other = await server.openSpace(ada)
    const link = (at: string, body: object) => server.as(ada).post(`${at}/links`, body).expect(200)
    await link(path, { target_uri: 'https://example.org/plan', link_type: 'source' })
    await link(other, { target_id: spaceId, link_type: 'blocks' })
    const { page } = await browser.comeIn(ada, `/s/${spaceId}?panel=links`)
    const panel = page.getByRole('complementary', { name: 'Links' })
    await panel.getByRole('heading', { name: 'Incoming' }).waitFor()
    for (const kind of ['source', 'blocks']) await panel.getByRole('img').getByText(kind, { exact: true }).waitFor()
    const into = panel.getByRole('listitem').filter({ hasText: 'blocks' })
    await panel
      .getByRole('listitem')
      .filter({ hasText: 'source' })
      .getByRole('button', { name: /^Remove/ })
      .waitFor()
    // The other space owns it.
    expect(await into.getByRole('button').count()).toBe(0)
    for (const target of await panel.getByRole('list').getByRole('link').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    }
    await into.getByRole('link', { name: spaceIdOf(other) }).click()
    await page.getByText('Start the conversation').waitFor()
  })

  it('shows the activity of 20,000 messages', async () => {
    const { ada, spaceId } = await spaceWith()
    await loadPastTexts(server.connection, spaceId, ada, many(20_000))
    const { page } = await browser.comeIn(ada, `/s/${spaceId}?panel=activity`)
    const panel = page.getByRole('complementary', { name: 'Activity' })
    await panel.getByText('20,000 messages by 1 speaker').waitFor()
    // The messages cover half of the day, in the requested number of buckets.
    expect(await panel.getByRole('img').locator('rect').count()).toBeGreaterThan(40)
    expect(await panel.locator('*').count()).toBeLessThan(600)
  })

  /** Creates messages at regular times in the last twelve hours. */
  function* many(count: number): Generator<PastText> {
    for (let n = 1; n <= count; n++) {
      yield { text: `number ${n}`, time: Date.now() - ((count - n) * 12 * 3_600_000) / count }
    }
  }

  it('focuses the field when it is opened, by link, reload or palette', async () => {
    const { ada, path, spaceId } = await spaceWith(['hello'])
    await server.as(ada).post(`${path}/join`).expect(200)
    const reader = await browser.comeIn(ada, '/')
    const { page } = reader
    const typed = async () => {
      await reader.sees('hello')
      await page.locator('textarea:focus').waitFor()
      await page.keyboard.type('could you')
      const field = page.getByRole('textbox', { name: /^Message to/ })
      expect(await field.inputValue()).toBe('could you')
      await field.fill('')
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: spaceId }).click()
    await typed()
    await page.reload()
    await typed()
    await reader.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(spaceId)
    await page.getByRole('group', { name: 'Spaces' }).getByRole('option', { name: spaceId }).waitFor()
    await page.keyboard.press('Enter')
    await typed()
  })

  it('is left, and joined again', async () => {
    const { ada, path, spaceId } = await spaceWith(['hello'])
    await server.as(ada).post(`${path}/join`).expect(200)
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    const { page } = reader
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: spaceId })
    await entry.waitFor()
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Leave…' }).click()
    const dialog = page.getByRole('dialog', { name: `Leave ${spaceId}?` })
    await dialog.getByText('You can join again.').waitFor()
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await entry.waitFor({ state: 'detached' })
    const { participants } = await server.as(ada).get(`${path}/status`).expect(200)
    expect(participants).toEqual([])
    await page.getByRole('main').getByRole('link', { name: spaceId }).click()
    await page.getByRole('button', { name: 'Join' }).click()
    await entry.waitFor()
  })

  it('moves the focus to the history on Escape in the field', async () => {
    const { ada, spaceId } = await spaceWith(['hello'])
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    await reader.sees('hello')
    await reader.page.keyboard.press('c')
    await reader.page.locator('textarea:focus').waitFor()
    await reader.page.keyboard.press('Escape')
    await reader.page.locator('[role=log]:focus').waitFor()
    await reader.page.keyboard.press('ArrowUp')
    await reader.page.locator('article:focus').getByText('hello').waitFor()
  })
})
