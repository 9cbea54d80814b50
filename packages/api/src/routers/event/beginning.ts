import { unknown, type Viewer } from '@collab-spaces/domain'
import type { Services } from '../../services.js'

/** The position where a reader with a cursor begins. 404 if the space or the event does not exist. */
export async function beginningOf({ database }: Services, viewer: Viewer, spaceId: string, cursor: string | undefined) {
  const beginning = await database.events.begin(viewer, spaceId, cursor ?? null)
  if (beginning === 'unknown_space') throw unknown('Space')
  if (beginning === 'unknown_event') throw unknown('Event')
  return beginning
}
