import type { SpaceRecord } from '@collab-spaces/db'
import { requireSpaceOpened, type Scope, unknown } from '@collab-spaces/domain'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** The space of a request; 404 if the caller's scope has none with that id. */
export async function requireSpace({ database }: Services, scope: Scope, spaceId: string): Promise<SpaceRecord> {
  const space = await database.spaces.find(scope, spaceId)
  if (!space) throw unknown('Space')
  return space
}

/** 404 unless the caller's credential opens all of these spaces. */
export async function requireSpaces(
  services: Services,
  { scope, limits }: Caller,
  spaceIds: readonly string[] = [],
): Promise<void> {
  for (const spaceId of spaceIds) requireSpaceOpened(limits, spaceId)
  await Promise.all(spaceIds.map((spaceId) => requireSpace(services, scope, spaceId)))
}
