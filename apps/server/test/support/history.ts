import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { loadHistory, type PastEvent } from '@collab-spaces/testing/history'

export interface Past {
  readonly count: number
  /** The text of event `n`; the first is 1. */
  readonly text: (n: number) => string
  /** Of every event: what makes a history large without being searched. */
  readonly metadata?: Record<string, string>
  /** Seconds between one event and the next; the last one is now. */
  readonly every?: number
}

/** A history in a space, by one author, as the service would have written it but past the API. */
export async function fillSpace(
  connection: ConnectionOptions,
  space: string,
  author: Actor,
  past: Past,
): Promise<void> {
  const { rows } = await query(connection, 'SELECT tenant_id FROM actors WHERE actor_id = $1', [author.actor_id])
  await loadHistory(connection, pastEvents(rows[0].tenant_id, spaceIdOf(space), author, past))
}

function* pastEvents(
  scope: PastEvent['scope'],
  spaceId: string,
  { actor_id, display_name }: Actor,
  { count, text, metadata, every = 0 }: Past,
): Generator<PastEvent> {
  const now = Date.now()
  for (let n = 1; n <= count; n++) {
    yield {
      scope,
      time: now - (count - n) * every * 1_000,
      draft: {
        event_id: randomUUID(),
        space_id: spaceId,
        speaker_id: actor_id,
        speaker_name: display_name,
        speaker_type: 'human',
        text: text(n),
        timestamp: '',
        parent_event_id: null,
        references: [],
        thread_id: null,
        metadata: metadata ?? null,
        posted_by: actor_id,
        posted_by_name: display_name,
        posted_by_type: 'human',
      },
      thread: null,
    }
  }
}
