import type { ViewerFilter } from '@collab-spaces/db'
import type { z } from 'zod'
import { presentSpace } from './presenters/space.js'
import type { Caller } from './procedure/credential.js'
import { RenderedOutput } from './procedure/output.js'
import { requireSpace } from './require-space.js'
import type { ListSpaces } from './schemas/space.js'
import type { Services } from './services.js'

/** Lists the spaces that a caller sees, or those that it has joined. 404 for an unknown cursor. */
export async function listSpaces(
  services: Services,
  caller: Caller,
  { status, cursor, limit }: z.output<typeof ListSpaces>,
  { isJoined }: Pick<ViewerFilter, 'isJoined'>,
) {
  const after = cursor === undefined ? undefined : await requireSpace(services, caller, cursor)
  const spaces = await services.database.spaces.list(caller, { status, isJoined }, { after, limit })
  return RenderedOutput.list(spaces, presentSpace)
}
