// An agent that answers each event that addresses it, once: kill it whenever you like, and start it again.
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type Event, SpacesError } from '@collab-spaces/client'

const { SPACES_URL = 'http://127.0.0.1:8080', SPACES_TOKEN } = process.env
const client = createClient({ url: SPACES_URL, token: SPACES_TOKEN })

for (;;) {
  try {
    const { items, done } = await client.inbox.get.query({ wait: 50 })
    for (const { event } of items) await answer(event)
    await client.inbox.done.mutate(done)
  } catch (error) {
    if (!(error instanceof SpacesError && error.mayPass)) throw error
    await delay(5_000)
  }
}

async function answer({ event_id, space_id, thread_id, text }: Event): Promise<void> {
  const reply = { space_id, parent_event_id: event_id, thread_id, idempotency_key: `answer to ${event_id}` }
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
