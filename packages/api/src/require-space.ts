import type { SpaceRecord } from '@collab-spaces/db'
import { type Entrant, type ReadableSpace, requireCanAdmit, unknown, type Viewer } from '@collab-spaces/domain'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** Returns the space of a request; 404 if the viewer sees none with that ID. */
export async function requireSpace(
  { database }: Services,
  viewer: Viewer,
  spaceId: string,
): Promise<SpaceRecord & ReadableSpace> {
  const space = await database.spaces.find(viewer, spaceId)
  if (!space) throw unknown('Space')
  return space
}

/** 404 unless the viewer sees all of these spaces. */
export async function requireSpaces(
  services: Services,
  viewer: Viewer,
  spaceIds: readonly string[] = [],
): Promise<void> {
  await Promise.all(spaceIds.map((spaceId) => requireSpace(services, viewer, spaceId)))
}

/** Rejects a code to spaces that the caller does not see (404) or cannot admit to (403, 409). Entry checks each again. */
export async function requireAdmitting(
  { database }: Services,
  caller: Caller,
  spaceIds: readonly string[],
  entrant: Entrant,
): Promise<void> {
  const spaces = await Promise.all(spaceIds.map((spaceId) => database.spaces.findOwned(caller, spaceId)))
  for (const space of spaces) {
    if (!space) throw unknown('Space')
    requireCanAdmit(space, space.owners, caller, entrant)
  }
}
