import { type Actor, type Client, query } from '@collab-spaces/testing'
import { loadHistory, makeHistory, type PastEvent, seededRandom } from '@collab-spaces/testing/history'
import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

const EVENTS = 200
const TABLES = ['events', 'threads', 'mentions', 'spaces']

/** Texts that need escaping for COPY, JSON or SQL. */
const AWKWARD = [
  '\\N',
  'tab\there',
  'line\nand\r\nline',
  'back\\slash \\t',
  '"quoted" {1,2}',
  '😀 é ﬁ 日本 \u2028',
  "it's",
]

/** Returns events of every kind, the first ones with awkward texts. */
function history(tenantId: PastEvent['tenantId'], spaceId: string, { actor_id, display_name }: Actor): PastEvent[] {
  const end = Date.now()
  const spaces = [{ tenantId, spaceId, share: 1, speakers: [{ actor_id, display_name }] }]
  const events = [...makeHistory({ spaces, events: EVENTS, begin: end - 1_000_000, end, random: seededRandom(3) })]
  return events.map((event, index) => {
    const text = AWKWARD[index]
    if (text === undefined) return event
    const metadata = { mentions: [text, text, actor_id], note: text }
    return { ...event, draft: { ...event.draft, text, speaker_id: text, metadata } }
  })
}

/** Posts a history to the service, and returns the new ID of each event and thread. */
async function post(client: Client, space: string, events: readonly PastEvent[]): Promise<Map<string, string>> {
  const given = new Map<string, string>()
  const idOf = (id: string | null) => (id === null ? null : given.get(id))
  for (const { draft, thread } of events) {
    if (thread) {
      const { threadId, parentEventId, subject } = thread
      const started = await client
        .post(`${space}/threads`, { parent_event_id: idOf(parentEventId), subject })
        .expect(200)
      given.set(threadId, started.thread_id)
    }
    const { event_id, space_id: _space, posted_by: _id, posted_by_name: _name, posted_by_type: _type, ...body } = draft
    const sent = { ...body, parent_event_id: idOf(body.parent_event_id), thread_id: idOf(body.thread_id) }
    given.set(event_id, (await client.post(`${space}/events`, sent).expect(200)).event_id)
  }
  return given
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Returns all rows of a space, with IDs replaced by their order in the history, and without times and nonces. */
async function rowsOf(spaceId: string, ids: readonly string[]): Promise<Record<string, string[]>> {
  const names = new Map(ids.map((id, index) => [id, `id ${index}`]))
  const tables: Record<string, string[]> = {}
  for (const table of TABLES) {
    const { rows } = await query(h.connection, `SELECT * FROM ${table} WHERE space_id = $1`, [spaceId])
    tables[table] = rows
      .map((row) => JSON.stringify('nonce' in row ? { ...row, nonce: row.nonce.length } : row))
      .map((row) => row.replaceAll(spaceId, 'the space').replaceAll(TIME, 'a time'))
      .map((row) => row.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => names.get(id) ?? id))
      .sort()
  }
  return tables
}

describe('a history that is loaded into the database', () => {
  it('is stored in every column as if it had been posted', async () => {
    const ada = await h.registerHuman()
    const [sent, loaded] = [await h.openSpace(ada, 'sent-here'), await h.openSpace(ada, 'loaded')]
    const { rows } = await query(h.connection, 'SELECT tenant_id FROM actors WHERE actor_id = $1', [ada.actor_id])
    const events = history(rows[0].tenant_id, 'loaded', ada)

    const given = await post(h.as(ada), sent, events)
    await loadHistory(h.connection, events)

    const own = await rowsOf('loaded', [...given.keys()])
    expect(own).toEqual(await rowsOf('sent-here', [...given.values()]))
    expect(own.events).toHaveLength(EVENTS)
    expect(own.threads).not.toHaveLength(0)
    expect(own.mentions).not.toHaveLength(0)
    for (const path of [sent, loaded]) await h.as(ada).post(`${path}/speech`, { text: 'goes on' }).expect(200)
    expect((await h.as(ada).get(`${loaded}/status`).expect(200)).event_count).toBe(EVENTS + 1)
  })

  it('requires its spaces', async () => {
    const ada = await h.registerHuman()
    const { rows } = await query(h.connection, 'SELECT tenant_id FROM actors WHERE actor_id = $1', [ada.actor_id])
    const events = history(rows[0].tenant_id, 'nowhere', ada)
    await expect(loadHistory(h.connection, events)).rejects.toThrow('Space nowhere does not exist')
  })
})
