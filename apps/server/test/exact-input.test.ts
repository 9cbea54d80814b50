import { query, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer()

/** Returns JSON with a number in place of "N" that no serializer would write. */
const withNumber = (body: object, number: string) => JSON.stringify(body).replace('"N"', number)

const ADVICE = 'has a number that loses digits: send it as a string'

describe('a number with many digits', () => {
  it.each(['9007199254740993', '-9007199254740993', '12345678901234567890', '9.007199254740993e15', '1e400', '-1e400'])(
    'is rejected in any field when it would lose digits: %s',
    async (number) => {
      const { ada, path, space_id } = await h.adasSpace()
      const client = h.as(ada)
      const post = (to: string, body: object) => client.post(to, withNumber(body, number))
      const metadata = { metadata: { list: [{ deep: 'N' }], 'a "quoted\\\\" key': 1 } }
      const speaker = { speaker_id: 'meet', speaker_name: 'Meet' }
      const agent = { display_name: 'Scout', actor_type: 'agent' }
      await post(`${path}/speech`, { text: 'Hello', ...metadata }).expect(400, `metadata: ${ADVICE}`)
      await post(`${path}/events`, { text: 'Hello', ...speaker, ...metadata }).expect(400, `metadata: ${ADVICE}`)
      await post(`${path}/events/batch`, { events: [{ text: 'Hello', ...speaker, ...metadata }] }).expect(
        400,
        `events.0: ${ADVICE}`,
      )
      await post('/api/actors', { ...agent, ...metadata }).expect(400, `metadata: ${ADVICE}`)
      const link = { target_uri: 'https://example.org', attributes: { n: 'N' } }
      await post(`${path}/links`, link).expect(400, `attributes: ${ADVICE}`)
      const answer = await client.post(
        '/mcp',
        withNumber(toolCall('say', { space_id, text: 'Hello', ...metadata }), number),
        { headers: { accept: 'application/json' } },
      )
      expect(answer.body.result).toMatchObject({ isError: true, structuredContent: { status: 400 } })
      expect(answer.text).toContain(`metadata: ${ADVICE}`)
      const typed = await post('/trpc/event.speech', { space_id, text: 'Hello', ...metadata })
      expect([typed.status, typed.body.error.data.detail]).toEqual([400, `metadata: ${ADVICE}`])
      expect(await client.get(`${path}/events`).expect(200)).toEqual([])
    },
  )

  it.each(['9007199254740992', '9007199254740991', '-0', '1e22', '0.1', '3.141592653589793238'])(
    'is accepted when it keeps its value: %s',
    async (number) => {
      const { ada, path } = await h.adasSpace()
      const body = withNumber({ text: 'At 9007199254740993 "', metadata: { n: 'N', s: '9007199254740993' } }, number)
      const { metadata, text } = await h.as(ada).post(`${path}/speech`, body).expect(200)
      expect(metadata).toEqual({ n: JSON.parse(number) + 0, s: '9007199254740993' })
      expect(text).toBe('At 9007199254740993 "')
    },
  )
})

describe('an idempotency key', () => {
  it('accepts the same request with its fields in another order', async () => {
    const { ada, path } = await h.adasSpace()
    const send = (operation: string, body: object) =>
      h.as(ada).post(`${path}/${operation}`, body, { headers: { 'Idempotency-Key': operation } })
    const speaker = { speaker_id: 'meet', speaker_name: 'Meet' }
    for (const operation of ['speech', 'response', 'events']) {
      const [one, other] = [
        { text: 'Hello', ...speaker, metadata: { a: [{ x: 1, y: '2' }], b: { '10': 1, '9': 2 } } },
        { metadata: { b: { '9': 2, '10': 1 }, a: [{ y: '2', x: 1 }] }, ...speaker, text: 'Hello' },
      ]
      const event = await send(operation, one).expect(200)
      expect(await send(operation, other).expect(200)).toEqual(event)
      const changed = { ...one, metadata: { ...one.metadata, a: [] } }
      await send(operation, changed).expect(409, 'Idempotency-Key was already used with a different request')
    }
    const proposal = { proposed_by: 'Ada', text: 'Go', review_at: '2030-01-01' }
    const decision = await send('decisions', proposal).expect(200)
    expect(await send('decisions', Object.fromEntries(Object.entries(proposal).reverse())).expect(200)).toEqual(
      decision,
    )
    const { rows } = await query(h.connection, 'SELECT head FROM spaces WHERE space_id = $1', [spaceIdOf(path)])
    expect(rows).toEqual([{ head: '3' }])
  })
})

describe('an empty cursor in a header', () => {
  it('is ignored', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    for (const url of [`${path}/events/stream`, `${path}/events/stream?since=`]) {
      const stream = await fetch(h.url + url, {
        headers: { authorization: `Bearer ${ada.api_key}`, 'last-event-id': '' },
      })
      expect(stream.status).toBe(200)
      await stream.body?.cancel()
    }
    expect((await h.as(ada).post('/mcp', toolCall('whoami'), { headers: ACCEPT })).status).toBe(200)
  })
})
