import type { SpaceRecord } from '@collab-spaces/db'
import { type ReadableSpace, unknown, type Viewer } from '@collab-spaces/domain'
import type { Services } from './services.js'

/** The space of a request; 404 if the viewer sees none with that id. */
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
