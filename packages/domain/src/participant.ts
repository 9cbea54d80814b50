import { type SpaceStatus, spaceArchived } from './space.js'

/** Anybody in the scope may join a space that is not archived. */
export function requireJoinable(status: SpaceStatus): void {
  if (status === 'archived') throw spaceArchived()
}
