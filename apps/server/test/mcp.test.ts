import { operations } from '@collab-spaces/api'
import { type Actor, bearer, eventually, NOTHING } from '@collab-spaces/testing'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { tools } from '../src/http/mcp/tools.js'
import { bare, CLIENTS, useMcpClients } from './support/mcp.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto, setTenantStatus } from './support/tenant.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer()
const connected = useMcpClients()

const NAMES = tools.map(({ listed }) => listed.name)

it('a client that negotiates by itself ends at the same revision as a pinned one', async () => {
  const [, [, version, connect]] = CLIENTS as [unknown, (typeof CLIENTS)[number]]
  const client = await connected(connect, h.url, (await h.registerHuman()).api_key)
  expect(client.version).toBe(version)
  expect((await client.tools()).map(({ name }) => name)).toEqual(NAMES)
  expect((await client.call('whoami')).isError).toBe(false)
})

describe.each(CLIENTS.filter(([name]) => name !== 'client 2, by itself'))('%s', (_name, version, connect) => {
  const clientOf = (actor: Actor) => connected(connect, h.url, actor.api_key)

  it('reads, posts, proposes, reviews and settles in a space with other actors', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    // Another sponsor's agent: approvals by agents of the proposer's sponsor do not count.
    const critic = await h.registerAgent(await h.registerHuman('Bob'), 'Critic')
    const question = await h.as(ada).post(`${path}/speech`, { text: 'Where to, @Scout?' }).expect(200)

    const first = await clientOf(scout)
    expect(first.version).toBe(version)
    expect((await first.tools()).map(({ name }) => name)).toEqual(NAMES)
    const me = await first.call('whoami')
    expect(me.content.actor).toMatchObject({ actor_id: scout.actor_id })
    expect(me.text).toContain('You are Scout')
    await h.as(ada).patch(path, { title: 'Where to go' }).expect(200)
    const listed = await first.call('list_spaces')
    expect(listed.content.spaces[0]).toMatchObject({ space_id, title: 'Where to go' })
    expect(listed.text).toContain(`<space id="${space_id}" title="Where to go"`)
    expect((await first.call('join_space', { space_id })).content.participant).toMatchObject({ agent_adapter: 'mcp' })

    const context = await first.call('get_context', { space_id, budget: 2_000, focus: question.event_id })
    expect(context.text).toContain('Where to, @Scout?')
    expect(context.content.context.cursor).toBe(question.event_id)

    const answer = { space_id, text: 'To the sea', parent_event_id: question.event_id, idempotency_key: 'once' }
    const { event } = (await first.call('say', answer)).content
    expect(event).toMatchObject({ posted_by: scout.actor_id, speaker_type: 'agent', text: 'To the sea' })
    expect((await first.call('say', answer)).content.event).toEqual(event)
    const proposal = { space_id, text: 'We go to the sea', idempotency_key: 'also once' }
    const { decision } = (await first.call('propose_decision', proposal)).content
    expect(decision).toMatchObject({ proposed_by: scout.actor_id, status: 'proposed' })

    const second = await clientOf(critic)
    const read = await second.call('read_events', { space_id, since: question.event_id })
    expect(read.content.events).toEqual([event])
    expect(read.text).toContain('>\nTo the sea\n</event>')
    expect((await second.call('search', { q: 'sea', space_id })).content.matches).toMatchObject([
      { event_id: event.event_id },
    ])
    expect((await second.call('list_decisions', { space_id, status: 'proposed' })).content.decisions).toHaveLength(1)

    const review = { space_id, decision_id: decision.decision_id, verdict: 'approve', note: 'It is near' }
    expect((await second.call('review_decision', review)).content.decision).toMatchObject({
      approvals: { given: 1, by: [critic.actor_id] },
    })
    const human = await clientOf(ada)
    const settlement = { space_id, decision_id: decision.decision_id, status: 'resolved', resolution: 'All agreed' }
    expect((await human.call('settle_decision', settlement)).content.decision).toMatchObject({
      status: 'resolved',
      resolved_by: ada.actor_id,
    })
    expect(await second.call('settle_decision', settlement)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Decision is already resolved\nRead what is there now/),
      content: { status: 409, detail: 'Decision is already resolved' },
    })
    expect((await second.call('get_context', { space_id })).text).toContain('We go to the sea\n→ All agreed')
  })

  it('receives the reason of a refusal, with advice', async () => {
    const { ada, space_id } = await h.adasSpace()
    const client = await clientOf(ada)
    await client.tools()
    const refused = async (name: string, input: object, status: number, detail: string) => {
      const { isError, text, content } = await client.call(name, input)
      expect(isError).toBe(true)
      expect(content).toMatchObject({ status, detail, advice: expect.stringMatching(/\w\.$/) })
      expect(text).toBe(`${detail}\n${content.advice}`)
    }
    await refused('say', { space_id, text: '' }, 400, 'text: must not be empty')
    await refused('say', { space_id }, 400, 'text: is required')
    await refused('say', { space_id, text: 7 }, 400, 'text: must be a string')
    await refused('say', { space_id: 'nowhere', text: 'Hello' }, 404, 'Space not found')
    await refused('read_events', { space_id, limit: 1_000 }, 400, 'limit: must be a whole number from 1 to 200')
    await expect(client.call('delete_everything')).rejects.toThrow('Tool not found: delete_everything')
  })

  it('reads events, decisions and contexts by their URIs', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    const decision = await h.as(ada).post(`${path}/decisions`, { text: 'Go', proposed_by: 'Ada' }).expect(200)
    const client = await clientOf(ada)
    const at = async (address: string) => (await client.read(`spaces:///${space_id}/${address}`)).text
    expect(bare(JSON.parse(await at(`events/${event.event_id}`)))).toEqual(event)
    expect(bare(JSON.parse(await at(`decisions/${decision.decision_id}`)))).toEqual(decision)
    expect(await at('context')).toContain('>\nHello\n</event>')
    await expect(at(`events/${NOTHING}`)).rejects.toThrow('Event not found')
    await expect(at('nothing/here')).rejects.toThrow(/not found/)
  })

  it('sees its own tenant only, and is rejected after a suspension or a key rotation', async () => {
    const { ada, space_id } = await h.adasSpace()
    const stranger = await h.registerHuman('Eve')
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, stranger)
    const client = await clientOf(stranger)
    expect((await client.call('list_spaces')).content.spaces).toEqual([])
    expect(await client.call('read_events', { space_id })).toMatchObject({ content: { status: 404 } })
    await setTenantStatus(h.connection, tenant, 'suspended')
    await expect(client.call('whoami')).rejects.toThrow(/Tenant is suspended/)

    const other = await clientOf(ada)
    await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await expect(other.call('whoami')).rejects.toThrow()
  })

  it('receives the receipts of its recipients, and waits for their answers', async () => {
    const { ada, space_id } = await h.adasSpace()
    const [scout, rival] = [await h.registerAgent(ada, 'Scout'), await h.registerAgent(ada, 'Rival')]
    const client = await clientOf(scout)
    expect((await client.call('say', { space_id, text: 'Hello' })).content).not.toHaveProperty('receipts')
    const metadata = { mentions: [ada.actor_id, rival.actor_id] }
    const result = await client.call('say', { space_id, text: 'Shall we?', metadata })
    const { event, receipts } = result.content
    const states = receipts.map(({ actor_id, state }: Record<string, string>) => [actor_id, state])
    expect(Object.fromEntries(states)).toEqual({ [ada.actor_id]: 'waiting', [rival.actor_id]: 'unreachable' })
    expect(result.text).toContain(`Said, as event ${event.event_id}.`)
    expect(result.text).toContain(`Rival (${rival.actor_id}): unreachable`)

    const answered = client.call('wait_for_answer', { space_id, event_id: event.event_id, wait: 45 })
    const reply = { text: 'Yes', parent_event_id: event.event_id }
    for (const actor of [ada, rival]) await h.as(actor).post(`/api/spaces/${space_id}/response`, reply).expect(200)
    const answers = (await answered).content.receipts
    expect(answers.map(({ state }: { state: string }) => state)).toEqual(['answered', 'answered'])
  })

  it('lists participants, and mentions those that its text names', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const mara = await h.registerHuman('Mara')
    for (const actor of [ada, mara]) await h.as(actor).post(`${path}/join`).expect(200)
    const client = await clientOf(await h.registerAgent(ada, 'Scout'))
    const { content, text } = await client.call('list_participants', { space_id })
    expect(content.participants).toMatchObject([{ name: 'Ada' }, { name: 'Mara', actor_id: mara.actor_id }])
    expect(text).toContain(`Mara (human ${mara.actor_id})`)

    const metadata = { mentions: [ada.actor_id] }
    const result = await client.call('say', { space_id, text: 'Shall we, @Mara?', metadata })
    expect(result.content.event.metadata).toEqual({ mentions: [ada.actor_id, mara.actor_id] })
    const addressed = result.content.receipts.map(({ actor_id }: Record<string, string>) => actor_id)
    expect(addressed.sort()).toEqual([ada.actor_id, mara.actor_id].sort())
    expect((await h.as(mara).get('/api/actors/me/inbox').expect(200)).counts.unread).toBe(1)
    expect((await client.call('say', { space_id, text: 'As `@Mara` says' })).content).not.toHaveProperty('receipts')
  })

  it('posts with a credential that may not read, and receives no receipts', async () => {
    const { ada, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const { token } = await h
      .as(ada)
      .post('/api/personal-access-tokens', { name: 'writer', scopes: ['write'] })
      .expect(200)
    const client = await connected(connect, h.url, token)
    const result = await client.call('say', { space_id, text: 'Scout?', metadata: { mentions: [scout.actor_id] } })
    expect(result).toMatchObject({ isError: false, content: { event: { text: 'Scout?' } } })
    expect(result.content).not.toHaveProperty('receipts')
  })

  it('waits for a mention, answers it, and marks it done', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const client = await clientOf(scout)
    const nothing = (await client.call('wait_for_attention', { wait: 0 })).text
    expect(nothing).toBe('Your inbox is empty.')

    const longPoll = client.call('wait_for_attention', { wait: 30 })
    const metadata = { mentions: [scout.actor_id] }
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Scout?', metadata }).expect(200)
    const { content, text } = await longPoll
    expect(content.inbox.items).toMatchObject([{ space_id, kinds: ['mention'], from_human: true }])
    expect(text).toContain('>\nScout?\n</event>')
    expect(text).toContain(`done: {"through":[{"space_id":"${space_id}","event_id":"${event.event_id}"}]`)

    await client.call('say', { space_id, text: 'Yes?', parent_event_id: event.event_id })
    expect(await client.call('mark_done', content.inbox.done)).toMatchObject({ isError: false, text: 'Done.' })
    expect((await client.call('wait_for_attention', { wait: 0 })).content.inbox.items).toEqual([])
  })

  it('is addressed by every event of its conversations, and receives receipts there', async () => {
    const ada = await h.registerHuman('Ada')
    const scout = await h.registerAgent(ada, 'Scout')
    const client = await clientOf(scout)
    const { space_id } = (await client.call('start_conversation', { actor_ids: [ada.actor_id] })).content.space
    const result = await client.call('say', { space_id, text: 'Hello' })
    expect(result.content.receipts).toMatchObject([{ actor_id: ada.actor_id }])
    const longPoll = client.call('wait_for_attention', { wait: 30 })
    await h.as(ada).post(`/api/spaces/${space_id}/speech`, { text: 'How are you?' }).expect(200)
    const { content, text } = await longPoll
    expect(content.inbox.items).toMatchObject([{ space_id, kinds: ['direct'], from_human: true }])
    expect(text).toContain(`direct in ${space_id}`)
  })

  it('writes with a claim until another actor holds it', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const [scout, rival] = [await h.registerAgent(ada, 'Scout'), await h.registerAgent(ada, 'Rival')]
    const metadata = { mentions: [scout.actor_id, rival.actor_id] }
    const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'Who goes?', metadata }).expect(200)
    const [client, other] = [await clientOf(scout), await clientOf(rival)]
    const taken = await client.call('claim_work', { space_id, event_id, ttl_s: 60 })
    const { claim_id, fence, expires_at } = taken.content.claim
    expect(taken.text).toBe(`Yours until ${expires_at}: claim ${claim_id}, fence ${fence}.`)
    expect(await other.call('claim_work', { space_id, event_id })).toMatchObject({
      isError: true,
      content: { status: 409, error: 'claimed', holder: scout.actor_id },
    })

    const claim = { claim_id, fence }
    const { decision_id } = (await client.call('propose_decision', { space_id, text: 'I go', claim })).content.decision
    const all: [string, object][] = [
      ['say', { space_id, text: 'I do', claim }],
      ['review_decision', { space_id, decision_id, verdict: 'reject', claim }],
      ['settle_decision', { space_id, decision_id, status: 'resolved', resolution: 'Yes', claim }],
    ]
    for (const [name, input] of all) expect((await client.call(name, input)).isError).toBe(false)
    expect((await client.call('release_work', { space_id, claim_id })).text).toBe('Released.')
    expect((await other.call('claim_work', { space_id, event_id })).content.claim).toMatchObject({ fence: 2 })

    const open = (await client.call('propose_decision', { space_id, text: 'I go on' })).content.decision.decision_id
    const through = [{ space_id, event_id }]
    const refused: [string, object][] = [
      ['say', { space_id, text: 'I did', claim }],
      ['propose_decision', { space_id, text: 'I went', claim }],
      ['review_decision', { space_id, decision_id: open, verdict: 'reject', claim }],
      ['settle_decision', { space_id, decision_id: open, status: 'rejected', resolution: 'No', claim }],
      ['mark_done', { through, claim }],
    ]
    for (const [name, input] of refused)
      expect(await client.call(name, input)).toMatchObject({
        isError: true,
        content: { status: 409, error: 'claim_lost' },
      })
    expect((await h.as(scout).get('/api/actors/me/inbox').expect(200)).counts.unread).toBe(1)
    expect((await h.as(ada).get(`${path}/transcript`).expect(200)).map(({ text }: { text: string }) => text)).toEqual([
      'Who goes?',
      'I do',
    ])
  })

  it('declines an event with a reason', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const metadata = { mentions: [scout.actor_id] }
    const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'Scout?', metadata }).expect(200)
    const client = await clientOf(scout)
    const done = { through: [{ space_id, event_id }], outcome: 'declined', reason: 'I only read mail' }
    expect(await client.call('mark_done', done)).toMatchObject({ isError: false })
    expect(await h.as(ada).get(`${path}/events/${event_id}/receipts`).expect(200)).toMatchObject([
      { state: 'declined', reason: 'I only read mail' },
    ])
  })

  it('sees the decisions that are assigned to it', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const proposal = { text: 'To the sea?', proposed_by: ada.actor_id, assignees: [scout.actor_id] }
    const { decision_id } = await h.as(ada).post(`${path}/decisions`, proposal).expect(200)
    const { text } = await (await clientOf(scout)).call('wait_for_attention', { wait: 0 })
    expect(text).toContain(`<decision id="${decision_id}" space="${space_id}" status="proposed"`)
  })

  it('is refused a settlement that the space policy forbids', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    await h
      .as(ada)
      .put(`${path}/policy`, { settle: { who: 'humans' } })
      .expect(200)
    const client = await clientOf(await h.registerAgent(ada, 'Scout'))
    const { decision_id } = (await client.call('propose_decision', { space_id, text: 'Go' })).content.decision
    const settlement = { space_id, decision_id, status: 'resolved', resolution: 'I think so' }
    expect(await client.call('settle_decision', settlement)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Only humans may settle decisions here\nDo not retry/),
      content: { status: 403 },
    })
  })

  it('is rejected when its key is rotated during a wait', async () => {
    const { ada } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const client = await clientOf(scout)
    await client.tools()
    // A wait that begins after the rotation is rejected with 401, which clients word differently.
    const longPoll = client.call('wait_for_attention', { wait: 40 }).catch(() => ({ text: 'Authentication required' }))
    await h.as(ada).post(`/api/actors/${scout.actor_id}/rotate-key`).expect(200)
    expect((await longPoll).text).toMatch(/^Authentication required/)
  })

  it('can be stopped by its sponsor, also during a wait', async () => {
    const { ada, space_id } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const client = await clientOf(scout)
    const longPoll = client.call('wait_for_attention', { wait: 30 })
    await h.as(ada).post(`/api/actors/${scout.actor_id}/stop`, { reason: 'Enough' }).expect(200)
    expect((await longPoll).text).toBe('You have been stopped. Enough')
    expect(await client.call('say', { space_id, text: 'But' })).toMatchObject({
      isError: true,
      content: { status: 403, error: 'agent_stopped', reason: 'Enough' },
    })
  })

  it('receives progress of a long wait before its own timeout', async () => {
    const { ada } = await h.adasSpace()
    const client = await clientOf(ada)
    await new Promise<void>((resolve, reject) => {
      client.call('wait_for_attention', {}, () => resolve()).catch(reject)
    })
  })

  it('lists only the tools that its credential may use', async () => {
    const { ada, space_id } = await h.adasSpace()
    const { token } = await h
      .as(ada)
      .post('/api/personal-access-tokens', { name: 'reader', scopes: ['read'] })
      .expect(200)
    const client = await connected(connect, h.url, token)
    const names = (await client.tools()).map(({ name }) => name)
    expect(names).toContain('get_context')
    expect(names).not.toContain('say')
    expect(await client.call('say', { space_id, text: 'Hello' })).toMatchObject({
      isError: true,
      content: { status: 403, error: 'insufficient_scope', scope: 'write' },
    })
  })
})

const CALL = toolCall('whoami')

describe('/mcp', () => {
  it('accepts a credential in the header only', async () => {
    const { ada } = await h.adasSpace()
    const unknown = [h, h.as('svc_wrong'), h.as(`svc_${'0'.repeat(64)}`)]
    for (const client of unknown) {
      const answer = await client.post('/mcp', CALL, { headers: ACCEPT })
      answer.expect(401, 'Authentication required')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/)
    }
    await h.post(`/mcp?token=${ada.api_key}`, CALL, { headers: ACCEPT }).expect(401, 'Authentication required')
    expect((await h.as(ada).post('/mcp', CALL, { headers: ACCEPT })).status).toBe(200)
  })

  it('returns 405 for all methods but POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await h.send(method, '/mcp')
      answer.expect(405, 'Method not allowed here; allowed: POST')
      expect(answer.headers.get('allow')).toBe('POST')
    }
    expect((await h.send('HEAD', '/mcp')).status).toBe(405)
  })

  it('answers in JSON whatever line separators a text has', async () => {
    const { ada, path, space_id } = await h.adasSpace()
    const text = 'one\u2028data: null\u2028\u2029two'
    await h.as(ada).post(`${path}/speech`, { text }).expect(200)
    const headers = { accept: 'application/json' }
    const answer = await h.as(ada).post('/mcp', toolCall('read_events', { space_id }), { headers })
    expect(answer.body.result.structuredContent.events).toMatchObject([{ text: expect.stringContaining(text) }])
  })

  it('accepts a trailing slash, and answers in a type that the client accepts', async () => {
    const { ada } = await h.adasSpace()
    const forms = [
      ['application/json', /^application\/json/],
      ['text/event-stream', /^text\/event-stream/],
      ['*/*', /^text\/event-stream/],
      ['application/*;q=0.9', /^application\/json/],
      ['Application/JSON, text/plain', /^application\/json/],
    ] as const
    for (const path of ['/mcp', '/mcp/']) {
      for (const [accept, form] of forms) {
        const answer = await fetch(h.url + path, {
          method: 'POST',
          headers: { accept, ...bearer(ada.api_key), 'content-type': 'application/json' },
          body: JSON.stringify(CALL),
        })
        expect([answer.status, answer.headers.get('content-type')], accept).toEqual([200, expect.stringMatching(form)])
        const text = await answer.text()
        expect(JSON.parse(text.replace(/^[\s\S]*data: /, ''))).toMatchObject({ id: CALL.id, result: {} })
      }
    }
    await h
      .as(ada)
      .post('/mcp', CALL, { headers: { accept: 'text/html' } })
      .then(({ status }) => expect(status).toBe(406))
  })

  it('returns 403 to pages of other origins', async () => {
    const { ada } = await h.adasSpace()
    const from = (headers: Record<string, string>) =>
      h.as(ada).post('/mcp', CALL, { headers: { ...ACCEPT, ...headers } })
    const detail = /^Pages of this origin may not use the MCP server/
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      await from({ origin }).expect(403, detail)
    }
    await from({ 'sec-fetch-site': 'cross-site' }).expect(403, detail)
    expect((await from({ origin: h.url })).status).toBe(200)
  })

  it('refuses bodies that are too large, compressed or not JSON', async () => {
    const { ada } = await h.adasSpace()
    const send = (body: string, headers = {}) => h.as(ada).post('/mcp', body, { headers: { ...ACCEPT, ...headers } })
    await send('{').expect(400, 'body: is not valid JSON in UTF-8')
    await send('[]').expect(400, 'body: must be one JSON object')
    await send(`{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`).expect(413, /^The body is larger than/)
    await send('{}', { 'content-encoding': 'gzip' }).expect(415, /^Content-Encoding/)
  })
})

describe('a wait that its client cancels', () => {
  it('frees its slot', async () => {
    const scout = await h.registerAgent(await h.registerHuman(), 'Scout')
    const begin = (signal: AbortSignal) =>
      fetch(`${h.url}/mcp`, {
        method: 'POST',
        headers: { ...ACCEPT, ...bearer(scout.api_key), 'content-type': 'application/json' },
        body: JSON.stringify(toolCall('wait_for_attention', { wait: 30 })),
        signal,
      }).then((response) => response.text())
    for (let round = 0; round < 250; round++) {
      const controller = new AbortController()
      const waits = Array.from({ length: 4 }, () => begin(controller.signal).catch(() => null))
      await h.as(scout).get('/api/actors/me').expect(200)
      controller.abort()
      await Promise.all(waits)
    }
    // An actor may have four waits at a time: a slot that was not freed would refuse one of these.
    const four = () =>
      Promise.all(Array.from({ length: 4 }, () => begin(AbortSignal.timeout(500)).catch(() => 'waited')))
    await eventually(async () => (await four()).every((outcome) => outcome === 'waited'))
  })
})

describe('an origin that the operator allows', () => {
  const open = useServer({ MCP_ORIGINS: 'https://chat.example.org' }, h)

  it('may call', async () => {
    const { ada } = await h.adasSpace()
    const from = (origin: string) => open.as(ada).post('/mcp', CALL, { headers: { ...ACCEPT, origin } })
    expect((await from('https://chat.example.org')).status).toBe(200)
    await from('https://other.example.org').expect(403)
  })
})

describe.each(CLIENTS)('%s between two servers', (_mode, _version, connect) => {
  const other = useServer({}, h)

  it('may send each request to either server', async () => {
    const { ada, space_id } = await h.adasSpace()
    let requests = 0
    const client = await connected(connect, h.url, ada.api_key, (url, init) => {
      const server = requests++ % 2 === 0 ? h.url : other.url
      return fetch(new URL(new URL(url).pathname, server), init)
    })
    for (const text of ['One', 'Two', 'Three'])
      expect((await client.call('say', { space_id, text })).isError).toBe(false)
    const { events } = (await client.call('read_events', { space_id })).content
    expect(events.map(({ text }: { text: string }) => text)).toEqual(['One', 'Two', 'Three'])
    expect(requests).toBeGreaterThan(4)
  })
})

describe('limits of requests', () => {
  const limited = useServer({ WRITE_LIMIT: '2' }, h)

  it('count tool calls, too', async () => {
    const { ada, space_id } = await h.adasSpace()
    const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]
    const client = await connected(connect, limited.url, ada.api_key)
    for (const text of ['One', 'Two']) expect((await client.call('say', { space_id, text })).isError).toBe(false)
    expect(await client.call('say', { space_id, text: 'Three' })).toMatchObject({ content: { status: 429 } })
    expect((await client.call('whoami')).isError).toBe(false)
  })
})

/** The parts of JSON Schema that these tests read. */
interface Shape {
  readonly type?: string | string[]
  readonly description?: string
  readonly properties?: Record<string, Shape>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Shape
}

/** The keywords that the strict modes of models accept. */
const STRICT = [
  ...['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'format'],
]

/** Expects that a schema becomes one for a strict mode when all its fields are required. */
function expectStrict(schema: Shape, at: string): void {
  expect(STRICT, at).toEqual(expect.arrayContaining(Object.keys(schema)))
  if (schema.items) expectStrict(schema.items, `${at}[]`)
  if (![schema.type].flat().includes('object')) return
  expect(schema.additionalProperties, at).toBe(false)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!schema.required?.includes(name)) expect(field.type, `${at}.${name}`).toContain('null')
    expectStrict(field, `${at}.${name}`)
  }
}

/** Inputs that tools have beside those of their procedure. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  say: ['decision_id', 'files'],
  read_file: ['offset', 'limit'],
}

const fieldsOf = ({ properties = {} }: Shape): [string, Shape][] =>
  Object.entries(properties).flatMap(([name, field]) => [[name, field] as [string, Shape], ...fieldsOf(field)])

describe('the tools', () => {
  const list = JSON.stringify({ tools: tools.map(({ listed }) => listed) })

  it('take at most 4,500 tokens to list, by count and by length', () => {
    expect(countTokens(list)).toBeLessThanOrEqual(4_500)
    expect(list.length / 4).toBeLessThanOrEqual(4_500)
  })

  it.each(tools.map(({ listed }) => [listed.name, listed] as const))(
    '%s describes all its inputs and outputs, and suits the strict modes of models',
    (_, { inputSchema, outputSchema, description }) => {
      const fields = [...fieldsOf(inputSchema as Shape), ...fieldsOf(outputSchema as Shape)]
      for (const [name, field] of fields) expect(field.description, name).toMatch(/\w/)
      const texts = [description, ...fields.map(([, field]) => field.description)]
      for (const text of texts) expect(text).not.toMatch(/Extension$/)
      expectStrict(inputSchema as Shape, 'input')
    },
  )

  it('accept null for optional inputs, which strict modes have to send', async () => {
    const { ada, space_id } = await h.adasSpace()
    const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]
    const client = await connected(connect, h.url, ada.api_key)
    const nothing = (name: string) => {
      const { properties = {} } = tools.find(({ listed }) => listed.name === name)?.listed.inputSchema ?? {}
      return Object.fromEntries(Object.keys(properties).map((field) => [field, null]))
    }
    const inputs: Record<string, object> = {
      ...{ whoami: {}, list_spaces: {}, list_participants: { space_id }, read_events: { space_id } },
      ...{ say: { space_id, text: 'Hello' }, get_context: { space_id }, search: { q: 'hello' } },
      ...{ list_decisions: { space_id }, wait_for_attention: { wait: 0 } },
    }
    for (const [name, input] of Object.entries(inputs)) {
      const { isError, text } = await client.call(name, { ...nothing(name), ...input })
      expect(isError, `${name}: ${text}`).toBe(false)
    }
  })

  it.each(tools.map((tool) => [tool.listed.name, tool] as const))('%s has the inputs of its procedure', (_, tool) => {
    const { properties, required = [] } = tool.listed.inputSchema
    const { shape } = tool.operation.input
    const taken = [...Object.keys(shape), ...(OWN[tool.listed.name] ?? [])]
    expect(taken).toEqual(expect.arrayContaining(Object.keys(properties ?? {})))
    const defaults = Object.keys(tool.inputFor({ caller: { actorId: 'a' }, request: { headers: {} } } as never, {}))
    const needed = Object.entries(shape).flatMap(([field, schema]) =>
      schema.safeParse(undefined).success ? [] : [field],
    )
    expect([...required, ...defaults]).toEqual(expect.arrayContaining(needed))
    expect(operations).toContain(tool.operation)
  })
})
