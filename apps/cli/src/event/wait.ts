import { WAIT } from '@collab-spaces/client'
import { lastEvents } from './history.js'
import type { Sources } from './selection.js'

/**
 * Waits until there are events after one, or after what is the newest now. The event that they come after; undefined if
 * they are the first.
 */
export async function beforeNextEvents(
  { client, signal }: Sources,
  space_id: string,
  since: string | undefined,
): Promise<string | undefined> {
  const cursor = since ?? (await lastEvents(client, space_id, 1, { signal })).at(-1)?.event_id
  for (;;) {
    const next = await client.event.list.query({ space_id, since: cursor, limit: 1, wait: WAIT.max }, { signal })
    if (next.length > 0) return cursor
  }
}
