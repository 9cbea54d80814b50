// A space with a long history, written past the service: by the API it would take minutes.
import { randomUUID } from 'node:crypto'
import { createClient } from '@collab-spaces/client'
import { attachEmbedded } from '@collab-spaces/postgres-embedded'
import { loadHistory } from '@collab-spaces/testing/history'
import { query } from '@collab-spaces/testing/programs'

export const SPACE = 'long'
const SECONDS_BETWEEN = 40

/** Somebody, and the ids of so many events in a space of theirs. */
export async function makeLongHistory({ url, dataDir }, count) {
  const actor = await createClient({ url }).actor.register.mutate({ display_name: 'Ada', email: 'ada@example.org' })
  const client = createClient({ url, token: actor.api_key })
  await client.space.create.mutate({ space_id: SPACE })
  await client.participant.join.mutate({ space_id: SPACE })
  const { connection } = await attachEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
  const { rows } = await query(connection, 'SELECT tenant_id FROM actors WHERE actor_id = $1', [actor.actor_id])
  const ids = Array.from({ length: count }, () => randomUUID())
  await loadHistory(connection, events(ids, rows[0].tenant_id, actor.actor_id))
  return { actor, ids }
}

/** Lines of different heights, some with Markdown and code, by different speakers, over weeks. */
function* events(ids, scope, posted_by) {
  const end = Date.now()
  for (const [n, event_id] of ids.entries()) {
    const speaker = `speaker ${(n * 7) % 5}`
    const code = n % 9 === 0 ? '\n\n```ts\nconst answer = await ask(42) // of many\n```' : ''
    const draft = {
      event_id,
      space_id: SPACE,
      speaker_id: speaker,
      speaker_name: speaker,
      speaker_type: n % 3 === 0 ? 'agent' : 'human',
      text: `number ${n}: **so** it goes on, \`again\` and again. ${'and so on '.repeat((n * 7) % 60)}${code}`,
      timestamp: '',
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: null,
      posted_by,
      posted_by_name: 'Ada',
      posted_by_type: 'human',
    }
    yield { scope, time: end - (ids.length - n) * SECONDS_BETWEEN * 1_000, draft, thread: null }
  }
}
