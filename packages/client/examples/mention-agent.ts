// An agent that answers whoever mentions it, once: kill it whenever you like, and start it again.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createClient, type Event, SpacesError } from '@collab-spaces/client'

const { SPACES_URL = 'http://127.0.0.1:8080', SPACES_TOKEN, SPACE = 'plans', CURSOR = 'cursor.txt' } = process.env
const client = createClient({ url: SPACES_URL, token: SPACES_TOKEN })
const me = await client.actor.me.query()
await client.participant.join.mutate({ space_id: SPACE })

const since = await readFile(CURSOR, 'utf8').catch(() => undefined)
const stream = client.stream(SPACE, { since })
for await (const event of stream) {
  if (mentionsMe(event)) await answer(event)
  await writeFile(`${CURSOR}.new`, event.event_id)
  await rename(`${CURSOR}.new`, CURSOR)
}
console.error(`The stream has ended: ${stream.refusal?.detail}`)

function mentionsMe({ metadata, posted_by }: Event): boolean {
  const { mentions } = metadata ?? {}
  return posted_by !== me.actor_id && Array.isArray(mentions) && mentions.includes(me.actor_id)
}

async function answer({ event_id, thread_id, text }: Event): Promise<void> {
  const reply = { space_id: SPACE, parent_event_id: event_id, thread_id, idempotency_key: `answer to ${event_id}` }
  try {
    await client.event.response.mutate({ ...reply, text: await think(text) })
  } catch (error) {
    // Answered before a crash, in other words; or the space was paused before the answer was ready.
    if (!(error instanceof SpacesError && error.status === 409)) throw error
  }
}

async function think(question: string): Promise<string> {
  return `You said: ${question}`
}
