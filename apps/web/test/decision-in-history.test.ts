import { type Actor, type Client, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a decision in the history', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let api: Client
  let path: string
  let spaceId: string
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    path = await server.openSpace(ada)
    spaceId = spaceIdOf(path)
    api = server.as(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
  })

  const say = (text: string) => api.post(`${path}/speech`, { text }).expect(200)
  const propose = async (text: string): Promise<string> =>
    (await api.post(`${path}/decisions`, { proposed_by: ada.actor_id, text }).expect(200)).decision_id
  const review = (id: string, verdict: string) =>
    api.post(`${path}/decisions/${id}/reviews`, { verdict, note: `I ${verdict}` }).expect(200)

  it('is proposed from a message, approved and resolved in the history, in two windows', async () => {
    await say('The early train?')
    await api.put(`${path}/policy`, { settle: { approvals: 1 } }).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceId}`)
    const other = await browser.comeIn(grace, `/s/${spaceId}`)
    await other.sees('The early train?')
    await one.act('The early train?', 'Propose as decision')
    const field = one.page.getByLabel('What should be decided?')
    expect(await field.inputValue()).toMatch(
      new RegExp(`^The early train\\?\\n\\n\\[From a message by Ada\\]\\(http.*/s/${spaceId}/e/[0-9a-f-]{36}\\)$`),
    )
    await field.fill('Take the **7:12**')
    await one.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()

    const proposal = other.history.getByRole('group', { name: 'Decision' })
    await proposal.getByText('It needs 1 more approval').waitFor()
    expect(await proposal.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true)
    await proposal.getByRole('button', { name: 'Approve' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await proposal.getByText('1 of 1 approval: Grace').waitFor()
    await one.history.getByRole('group', { name: 'Decision' }).getByText('1 of 1 approval: Grace').waitFor()
    await proposal.getByRole('button', { name: 'Resolve' }).click()
    await other.page.getByRole('textbox', { name: 'Reason' }).fill('We arrive earlier.')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    const settled = one.history.getByRole('article', { name: /^Grace resolved,/ })
    await settled.getByText('We arrive earlier.').waitFor()
    await settled.getByRole('link', { name: 'Take the 7:12' }).waitFor()
    expect(await proposal.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await kinds(one.history)).toEqual(['changed the policy', 'proposed', 'approved', 'resolved'])
  })

  const isInWindow = (element: Element) => element.getBoundingClientRect().bottom <= window.innerHeight

  const kinds = async (history: Locator) =>
    (await history.getByRole('article').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? '')))
      .map((label) => /changed the policy|proposed|approved|resolved/.exec(label)?.[0])
      .filter(Boolean)

  it("keeps its dialog's text while messages arrive", async () => {
    await propose('Sail')
    const { page, history } = await browser.comeIn(ada, `/s/${spaceId}`)
    await history.getByRole('button', { name: 'Resolve' }).click()
    const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
    await reason.fill('The wind is right')
    const events = Array.from({ length: 80 }, (_, n) => ({ text: `line ${n}`, speaker_id: 'x', speaker_name: 'X' }))
    await server.as(grace).post(`${path}/events/batch`, { events }).expect(200)
    await history.getByText('line 79').waitFor()
    await eventually(() => history.getByText('line 79').evaluate(isInWindow))
    expect(await reason.inputValue()).toBe('The wind is right')
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await history
      .getByRole('article', { name: /^Ada resolved,/ })
      .getByText('The wind is right')
      .waitFor()
  })

  it('is in chronological order, with its acts', async () => {
    await say('Before')
    const first = await propose('The red one')
    await say('Between')
    await review(first, 'approve')
    await review(first, 'reject')
    await say('After')
    const { history } = await browser.comeIn(grace, `/s/${spaceId}`)
    await history.getByText('After').waitFor()
    const labels = await history
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => (one.getAttribute('aria-label') ?? '').replace(/, \d.*/, '')))
    expect(labels).toEqual([
      'Ada',
      'Ada proposed a decision',
      'Ada',
      'Ada approved',
      'Ada withdrew the approval of',
      'Ada',
    ])
    await history.getByText('I reject').waitFor()
  })

  it('is fetched by one request, and messages by none', async () => {
    const person = await browser.comeIn(grace, `/s/${spaceId}`)
    await say('Here')
    await person.sees('Here')
    await eventually(async () => (await person.page.getByText('This is the start').count()) > 0)
    // An event of the stream arrives after all requests made when it connected.
    await say('By the stream')
    await person.sees('By the stream')
    const urls: string[] = []
    person.page.on('request', (request) => request.url().includes('space.acts') && urls.push(request.url()))
    await say('And there')
    await person.sees('And there')
    expect(urls).toEqual([])
    await propose('Sail')
    const proposedAt = performance.now()
    await person.history.getByRole('group', { name: 'Decision' }).getByText('Sail').waitFor()
    // Well before any refetch interval, also on a busy machine.
    expect(performance.now() - proposedAt).toBeLessThan(5_000)
    expect(urls).toHaveLength(1)
  })

  it('loads by page while scrolling back, counts new acts, and shifts nothing in view', async () => {
    for (let at = 1; at <= 130; at++) {
      await say(`Message ${at}`)
      if (at % 2 === 0) await propose(`Proposal ${at}`)
    }
    await server.as(grace).put(`/api/spaces/${spaceId}/seen`, {}).expect(200)
    const person = await browser.comeIn(grace, `/s/${spaceId}`)
    await person.sees('Message 130')
    await eventually(async () => {
      await person.history.hover()
      await person.page.mouse.wheel(0, -4_000)
      return (await person.history.getByText('Message 1', { exact: true }).count()) > 0
    })
    await person.history.getByText('Message 1', { exact: true }).waitFor()
    await person.history.getByText('Proposal 2', { exact: true }).waitFor()
    const first = person.history.getByText('Message 1', { exact: true })
    const topOf = async () => (await first.boundingBox())?.y
    const before = await topOf()
    await propose('One more')
    await person.page.getByRole('button', { name: 'Jump to newest' }).getByText('1 new').waitFor()
    expect(await topOf()).toBe(before)
  })
})
