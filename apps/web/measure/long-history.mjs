// Writes a space with a long history directly to the database: the API would take minutes.
import { randomUUID } from 'node:crypto'
import { createClient } from '@collab-spaces/client'
import { attachEmbedded } from '@collab-spaces/postgres-embedded'
import { loadPastTexts } from '@collab-spaces/testing/history'

export const SPACE = 'long'
const SECONDS_BETWEEN = 40

/** Creates a human and a space with a number of events. Returns their IDs. */
export async function makeLongHistory({ url, dataDir }, count) {
  const actor = await createClient({ url }).actor.register.mutate({ display_name: 'Ada', email: 'ada@example.org' })
  const client = createClient({ url, token: actor.api_key })
  await client.space.create.mutate({ space_id: SPACE })
  await client.participant.join.mutate({ space_id: SPACE })
  const { connection, stop } = await attachEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
  const ids = Array.from({ length: count }, () => randomUUID())
  await loadPastTexts(connection, SPACE, actor, said(ids))
  await stop()
  return { actor, ids }
}

/** Returns lines of different heights, some with Markdown and code, by different speakers, over weeks. */
function* said(ids) {
  const end = Date.now()
  for (const [n, event_id] of ids.entries()) {
    const speaker = `speaker ${(n * 7) % 5}`
    const code = n % 9 === 0 ? '\n\n```ts\nconst answer = await ask(42) // of many\n```' : ''
    yield {
      event_id,
      speaker_id: speaker,
      speaker_name: speaker,
      speaker_type: n % 3 === 0 ? 'agent' : 'human',
      text: `number ${n}: **so** it goes on, \`again\` and again. ${'and so on '.repeat((n * 7) % 60)}${code}`,
      time: end - (ids.length - n) * SECONDS_BETWEEN * 1_000,
    }
  }
}
