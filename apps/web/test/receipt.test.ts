import { type Actor, eventually, query, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('receipts of a message', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates Ada and two agents in a space. */
  async function team() {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const [scout, rival] = [await server.registerAgent(ada, 'Scout'), await server.registerAgent(ada, 'Rival')]
    for (const actor of [ada, scout, rival]) {
      await server.as(actor).post(`${path}/join`).expect(200)
      // A join locks the actor's row, and then the last-seen time is not updated.
      await server.as(actor).get('/api/actors/me').expect(200)
    }
    const mention = async (text: string, ...actors: Actor[]): Promise<string> => {
      const metadata = { mentions: actors.map(({ actor_id }) => actor_id) }
      return (await server.as(ada).post(`${path}/speech`, { text, metadata }).expect(200)).event_id
    }
    return { ada, scout, rival, path, mention, comeIn: () => browser.comeIn(ada, `/s/${spaceIdOf(path)}`) }
  }

  it('show the state of each recipient as it changes', async () => {
    const { ada, scout, rival, path, mention, comeIn } = await team()
    const event_id = await mention('Where to?', scout, rival)
    await server.as(ada).post(`${path}/speech`, { text: 'Do not answer this' }).expect(200)
    const { history } = await comeIn()
    const lineOf = (text: string) =>
      history.getByRole('article').filter({ hasText: text }).getByRole('list', { name: 'Receipts' })
    const states = lineOf('Where to?').getByRole('listitem')
    const shows = (...words: string[]) =>
      expect.poll(async () => (await states.allTextContents()).toSorted()).toEqual(words.toSorted())
    await shows('Scout: not fetched yet', 'Rival: not fetched yet')
    expect(await lineOf('Do not').count()).toBe(0)

    await server.as(scout).get('/api/actors/me/inbox').expect(200)
    await shows('Scout: seen', 'Rival: not fetched yet')
    const { claim_id } = await server.as(scout).post(`${path}/claims`, { event_id }).expect(200)
    await server.as(scout).put(`${path}/progress`, { claim_id, text: 'Looking at maps' }).expect(200)
    await shows('Scout: working on it (Looking at maps)', 'Rival: not fetched yet')
    const outcome = { outcome: 'declined', reason: 'I only read mail' }
    const through = [{ space_id: spaceIdOf(path), event_id }]
    await server
      .as(rival)
      .post('/api/actors/me/inbox/done', { through, ...outcome })
      .expect(200)
    await server.as(scout).post(`${path}/response`, { text: 'To the sea', parent_event_id: event_id }).expect(200)
    await shows('Scout: answered', 'Rival: declined (I only read mail)')
  })

  it('show when an unreachable recipient was last seen, and claims', async () => {
    const { ada, scout, rival, path, mention, comeIn } = await team()
    const event_id = await mention('Where to?', scout, rival)
    await query(server.connection, `UPDATE actors SET last_seen_at = now() - interval '1 hour' WHERE actor_id = $1`, [
      rival.actor_id,
    ])
    await server.as(scout).post(`${path}/claims`, { event_id }).expect(200)
    const { claim_id } = await server.as(scout).post(`${path}/claims`, { key: 'book the train' }).expect(200)
    await server.as(scout).put(`${path}/progress`, { claim_id, text: 'Asking for prices' }).expect(200)
    await server.as(ada).post(`${path}/claims`, { key: 'pack' }).expect(200)
    const { page, history } = await comeIn()
    await history
      .getByRole('listitem')
      .filter({ hasText: /Rival: not reachable \(last seen .*\d:\d\d/ })
      .waitFor()
    await history.getByRole('article').filter({ hasText: 'Where to?' }).getByText('Claimed by Scout').waitFor()
    await page.goto(`${server.url}/s/${spaceIdOf(path)}?panel=people`)
    const claims = page.getByRole('listitem').filter({ hasText: 'Claimed by' })
    await claims.filter({ hasText: 'book the train' }).getByText('Asking for prices').waitFor()
    await claims.filter({ hasText: 'pack' }).getByText('Claimed by Ada').waitFor()
    await page.getByRole('heading', { name: 'In progress' }).waitFor()
  })

  it('are fetched in one batch, and not again once they are final', async () => {
    const { scout, path, mention, comeIn } = await team()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push(await mention(`Question ${n}`, scout))
    const person = await comeIn()
    const urls: string[] = []
    person.page.on('request', (request) => {
      if (request.url().includes('receipt.')) urls.push(request.url())
    })
    await person.page.reload()
    const states = (words: string) => person.history.getByText(`Scout: ${words}`).count()
    await eventually(async () => (await states('not fetched yet')) === ids.length)
    const drawn = urls.length
    // The list may mount the last rows a moment later, while it measures.
    expect(drawn).toBeLessThanOrEqual(3)
    for (const parent_event_id of ids)
      await server.as(scout).post(`${path}/response`, { text: 'Yes', parent_event_id }).expect(200)
    await eventually(async () => (await states('answered')) > 0 && (await states('not fetched yet')) === 0)
    // An answer refetches all open receipts in one batch, without final ones.
    expect(urls.length - drawn).toBeLessThanOrEqual(ids.length)
    expect(urls.at(-1)).not.toContain(ids[0])
  })

  it('are shown under own messages in a conversation, too', async () => {
    const { ada, scout } = await team()
    const talk = await server.openConversation(ada, scout)
    await server.as(ada).post(`${talk}/speech`, { text: 'Where to?' }).expect(200)
    await server.as(scout).post(`${talk}/response`, { text: 'To the sea' }).expect(200)
    const { history } = await browser.comeIn(ada, `/s/${spaceIdOf(talk)}`)
    const lineOf = (text: string) =>
      history.getByRole('article').filter({ hasText: text }).getByRole('list', { name: 'Receipts' })
    await lineOf('Where to?').getByText('Scout: not fetched yet').waitFor()
    expect(await lineOf('To the sea').count()).toBe(0)
    await server.as(scout).get('/api/actors/me/inbox').expect(200)
    await lineOf('Where to?').getByText('Scout: seen').waitFor()
  })

  it('of people are shown under own messages only, once they have read or replied', async () => {
    const { ada, path, mention, comeIn } = await team()
    const grace = await server.registerHuman('Grace')
    await server.as(grace).post(`${path}/join`).expect(200)
    await query(server.connection, `UPDATE actors SET last_seen_at = now() - interval '1 hour' WHERE actor_id = $1`, [
      grace.actor_id,
    ])
    const event_id = await mention('Where to?', grace)
    await mention('When?', grace)
    const one = await comeIn()
    const lineOf = ({ history }: typeof one, text: string) =>
      history
        .getByRole('article')
        .filter({ hasText: text })
        .getByText(/^Grace:/)
    await one.sees('When?')

    // Opening the home page reads nothing.
    const other = await browser.comeIn(grace, '/')
    await other.page.getByRole('list', { name: 'Waiting for you' }).getByText('Where to?').waitFor()
    const receipts = () => server.as(ada).get(`${path}/events/${event_id}/receipts`).expect(200)
    expect(await receipts()).toMatchObject([{ state: 'waiting', last_seen_at: null }])
    expect(await lineOf(one, 'Where to?').count()).toBe(0)

    await other.open(`/s/${spaceIdOf(path)}`)
    await other.sees('Where to?')
    await one.history.getByText('Grace: seen').first().waitFor()
    const through = [{ space_id: spaceIdOf(path), event_id }]
    await server.as(grace).post('/api/actors/me/inbox/done', { through }).expect(200)
    await server.as(grace).post(`${path}/speech`, { text: 'At noon', parent_event_id: event_id }).expect(200)
    await lineOf(one, 'Where to?').getByText('answered').waitFor()
    expect(await one.history.getByText(/done without|not reachable/).count()).toBe(0)
    // The recipient sees no receipt of its own.
    expect(await other.history.getByText(/^Grace: /).count()).toBe(0)
  })

  it('name all recipients, also those who have left', async () => {
    const { scout, path, mention, comeIn } = await team()
    await mention('Where to?', scout)
    await server.as(scout).post(`${path}/leave`).expect(200)
    const { history, page } = await comeIn()
    await history.getByText('Where to?').waitFor()
    await history.getByRole('listitem').filter({ hasText: 'Scout: not' }).waitFor()
    await history.getByRole('article').filter({ hasText: 'Where to?' }).focus()
    await page.keyboard.press('i')
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Scout: not' }).waitFor()
  })
})
