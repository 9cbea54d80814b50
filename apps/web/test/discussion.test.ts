import { type Actor, eventually, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the discussion of a decision', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let spaceId: string
  let decisionId: string
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    spaceId = `plans-${ada.actor_id}`
    await server.as(ada).post('/api/spaces', { space_id: spaceId }).expect(200)
    for (const actor of [ada, grace]) await server.as(actor).post(`/api/spaces/${spaceId}/join`).expect(200)
    const proposal = { proposed_by: ada.actor_id, text: 'Take the **7:12**', assignees: [grace.actor_id] }
    decisionId = (await server.as(ada).post(`/api/spaces/${spaceId}/decisions`, proposal).expect(200)).decision_id
  })

  it('starts from the card of the decision, which heads the thread, and returns to it', async () => {
    const { page } = await browser.comeIn(grace, `/s/${spaceId}/decisions/${decisionId}`)
    await page.getByRole('complementary').getByRole('link', { name: 'Discuss' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByRole('link', { name: /Take the 7:12/ }).waitFor()
    await panel.getByText('No replies yet.').waitFor()
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') writes.push(new URL(request.url()).pathname)
    })
    const field = panel.getByRole('textbox')
    await field.fill('Why so early?')
    await field.press('Enter')
    await panel.getByText('Why so early?').waitFor()
    const discussed = () => server.as(ada).get(`/api/spaces/${spaceId}/threads/${decisionId}`)
    await eventually(async () => (await discussed()).status === 200 && (await discussed()).body.events.length === 1)
    expect(writes.filter((path) => /event\.|thread\./.test(path))).toEqual([expect.stringMatching(/event\.speech$/)])
    const { thread_id } = (await discussed().expect(200)).thread
    const reply = { text: 'There is no other', thread_id }
    await server.as(ada).post(`/api/spaces/${spaceId}/speech`, reply).expect(200)
    await panel.getByText('There is no other').waitFor()

    await panel.getByRole('link', { name: /Take the 7:12/ }).click()
    await page.getByRole('complementary').getByRole('link', { name: 'Discuss (2)' }).waitFor()
    await page.getByRole('region', { name: 'Proposed' }).getByText('2 messages').waitFor()

    const other = await browser.comeIn(ada, `/s/${spaceId}`)
    await other.history.getByRole('link', { name: 'Discuss (2)' }).click()
    await other.page.getByRole('complementary').getByText('Why so early?').waitFor()
    expect(
      await other.page
        .getByRole('complementary')
        .getByRole('link', { name: /Take the 7:12/ })
        .count(),
    ).toBe(1)
  })
})
