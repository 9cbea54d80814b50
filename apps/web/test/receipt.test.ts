import { type Actor, eventually, query, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('under a message that mentions somebody', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Ada, with two agents in a space. */
  async function team() {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const [scout, rival] = [await server.registerAgent(ada, 'Scout'), await server.registerAgent(ada, 'Rival')]
    for (const actor of [ada, scout, rival]) {
      await server.as(actor).post(`${path}/join`).expect(200)
      // An actor who joins is locked meanwhile, and then it is not noted that something was heard of it.
      await server.as(actor).get('/api/actors/me').expect(200)
    }
    const mention = async (text: string, ...actors: Actor[]): Promise<string> => {
      const metadata = { mentions: actors.map(({ actor_id }) => actor_id) }
      return (await server.as(ada).post(`${path}/speech`, { text, metadata }).expect(200)).event_id
    }
    return { ada, scout, rival, path, mention, comeIn: () => browser.comeIn(ada, `/s/${spaceIdOf(path)}`) }
  }

  it('stands where it is with each whom it addresses, as that moves', async () => {
    const { ada, scout, rival, path, mention, comeIn } = await team()
    const event_id = await mention('Where to?', scout, rival)
    await server.as(ada).post(`${path}/speech`, { text: 'Nobody need answer this' }).expect(200)
    const { history } = await comeIn()
    const lineOf = (text: string) =>
      history.getByRole('article').filter({ hasText: text }).getByRole('list', { name: 'Receipts' })
    const states = lineOf('Where to?').getByRole('listitem')
    const shows = (...words: string[]) =>
      expect
        .poll(async () => (await states.allTextContents()).toSorted(), { timeout: 30_000 })
        .toEqual(words.toSorted())
    await shows('Scout: not fetched yet', 'Rival: not fetched yet')
    expect(await lineOf('Nobody need').count()).toBe(0)

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

  it('says when somebody was last seen whom it does not reach, and who has it until when', async () => {
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

  it('is asked for with all that are in view, and not again once it is over', async () => {
    const { scout, path, mention, comeIn } = await team()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push(await mention(`Question ${n}`, scout))
    const person = await comeIn()
    const asked: string[] = []
    person.page.on('request', (request) => {
      if (request.url().includes('receipt.')) asked.push(request.url())
    })
    await person.page.reload()
    const states = (words: string) => person.history.getByText(`Scout: ${words}`).count()
    await eventually(async () => (await states('not fetched yet')) === ids.length, 20_000)
    const drawn = asked.length
    // As the list learns how high its rows are, it may draw the last of them a moment later.
    expect(drawn).toBeLessThanOrEqual(3)
    for (const parent_event_id of ids)
      await server.as(scout).post(`${path}/response`, { text: 'Yes', parent_event_id }).expect(200)
    await eventually(async () => (await states('answered')) > 0 && (await states('not fetched yet')) === 0, 20_000)
    // All that was open is asked for together when an answer comes, and what is answered is not asked for again.
    expect(asked.length - drawn).toBeLessThanOrEqual(ids.length)
    expect(asked.at(-1)).not.toContain(ids[0])
  })

  it('stands under the own messages in a conversation, too', async () => {
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

  it('names whoever it addresses, also who has left', async () => {
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
