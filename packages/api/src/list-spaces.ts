import type { z } from 'zod'
import { presentSpace } from './presenters/space.js'
import type { Caller } from './procedure/credential.js'
import { Rendered } from './procedure/output.js'
import { requireSpace } from './require-space.js'
import type { ListSpaces } from './schemas/space.js'
import type { Services } from './services.js'

/** Lists the spaces that a caller sees, or those in which an actor participates. 404 for an unknown cursor. */
export async function listSpaces(
  services: Services,
  caller: Caller,
  { status, cursor, limit }: z.output<typeof ListSpaces>,
  participantId?: string,
) {
  const after = cursor === undefined ? undefined : await requireSpace(services, caller, cursor)
  const spaces = await services.database.spaces.list(caller, { status, participantId }, { after, limit })
  return Rendered.list(spaces, presentSpace)
}
