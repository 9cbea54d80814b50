import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { connect } from './connect.js'
import { loadHistory } from './load.js'
import type { PastEvent, PastEventInput, TenantId } from './past-event.js'

interface Author {
  readonly actor_id: string
  readonly display_name: string
  readonly actor_type?: PastEventInput['posted_by_type']
}

/** A text with its time, in milliseconds since 1970, and further fields of its event. */
export interface PastText extends Partial<PastEventInput> {
  readonly text: string
  readonly time: number
  /** The author, if it is another member of the tenant. */
  readonly by?: Author
}

/** Loads past texts into a space, in the order of their times. */
export async function loadPastTexts(
  connection: ConnectionOptions,
  spaceId: string,
  author: Author,
  texts: Iterable<PastText>,
): Promise<void> {
  const tenantId = await scopeOf(connection, author)
  await loadHistory(connection, eventsOf(tenantId, spaceId, author, texts))
}

async function scopeOf(connection: ConnectionOptions, { actor_id }: Author): Promise<TenantId> {
  const client = await connect(connection)
  try {
    const { rows } = await client.query('SELECT tenant_id FROM actors WHERE actor_id = $1', [actor_id])
    return rows[0].tenant_id
  } finally {
    await client.end()
  }
}

function* eventsOf(
  tenantId: TenantId,
  space_id: string,
  author: Author,
  texts: Iterable<PastText>,
): Generator<PastEvent> {
  for (const { time, by = author, ...what } of texts) {
    const { actor_id, display_name, actor_type = 'human' } = by
    const draft: PastEventInput = {
      event_id: randomUUID(),
      space_id,
      speaker_id: actor_id,
      speaker_name: display_name,
      speaker_type: actor_type,
      timestamp: '',
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: null,
      posted_by: actor_id,
      posted_by_name: display_name,
      posted_by_type: actor_type,
      ...what,
    }
    yield { tenantId, time, draft, thread: null }
  }
}
