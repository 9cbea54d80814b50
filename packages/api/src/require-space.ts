import type { SpaceRecord } from '@collab-spaces/db'
import { type Scope, unknown } from '@collab-spaces/domain'
import type { Services } from './services.js'

/** The space of a request; 404 if the caller's scope has none with that id. */
export async function requireSpace({ database }: Services, scope: Scope, spaceId: string): Promise<SpaceRecord> {
  const space = await database.spaces.find(scope, spaceId)
  if (!space) throw unknown('Space')
  return space
}
