import { opensSpace, type ReadableSpace, type TenantId, type Viewer } from '@collab-spaces/domain'
import { Prisma } from '../generated/client.js'

/** A space that a statement found for its viewer. */
export const asReadable = ({ tenantId }: Viewer, spaceId: string) => ({ tenantId, spaceId }) as ReadableSpace

/** Any space, for background work of the server and for the operator. */
export const asSystem = (tenantId: TenantId, spaceId: string) => ({ tenantId, spaceId }) as ReadableSpace

/** A viewer as SQL expressions: parameters, or columns of a batch. */
interface SqlViewer {
  readonly actor: string
  readonly isGuest: string
}

/** The first condition, since most spaces are open. */
const isOpenTo = (isGuest: string) => `s.visibility = 'open' AND NOT ${isGuest}`

/** Whether a viewer may write to a space `s`, or join it. The append repeats this rule in its own statement. */
export const mayWrite = ({ actor, isGuest }: SqlViewer) => `(${isOpenTo(isGuest)} OR EXISTS (
  SELECT FROM participants v WHERE v.tenant_id = s.tenant_id AND v.space_id = s.space_id AND v.actor_id = ${actor}))`

/**
 * Whether a viewer may read a space `s`, before the limits of its credential: see `seenAs`. An agent is only in spaces that
 * its human may read.
 */
export const mayRead = ({ actor, isGuest }: SqlViewer) =>
  `(${isOpenTo(isGuest)} OR has_part_in(${actor}, s.tenant_id, s.space_id))`

/** The same for a list of spaces, inlined: a function call for each hidden space would be slow. */
const mayReadEach = (viewer: SqlViewer) => `(${mayWrite(viewer)} OR EXISTS (
  SELECT FROM actors g JOIN participants v ON v.actor_id = g.actor_id
  WHERE g.sponsor_id = ${viewer.actor} AND v.tenant_id = s.tenant_id AND v.space_id = s.space_id))`

/** The spaces `s` of a list that a viewer may read, within the limits of its credential. */
export const mayReadOf = (viewer: SqlViewer, spaceIds: string) =>
  `(${spaceIds}::text[] IS NULL OR s.space_id = ANY (${spaceIds}::text[])) AND ${mayReadEach(viewer)}`

/** The parameters of `mayRead` and `mayWrite` for one space. */
export interface AccessParameters {
  readonly tenantId: string
  readonly spaceId: string
  readonly actorId: string
  readonly isGuest: boolean
}

/** An ID that no actor has. */
const NO_ACTOR = ''

/** Outside the limits of its credential, a viewer has the rights of a guest without spaces. */
export function accessParameters(viewer: Viewer, spaceId: string): AccessParameters {
  const { tenantId, actorId, isGuest, limits } = viewer
  return opensSpace(limits, spaceId)
    ? { tenantId, spaceId, actorId, isGuest }
    : { tenantId, spaceId, actorId: NO_ACTOR, isGuest: true }
}

/** The first four parameters of a statement: the space and the viewer. */
export const accessValues = (viewer: Viewer, spaceId: string) => {
  const { tenantId, actorId, isGuest } = accessParameters(viewer, spaceId)
  return [tenantId, spaceId, actorId, isGuest] as const
}

/** `mayRead` for these parameters. */
export const MAY_READ = mayRead({ actor: '$3', isGuest: '$4' })

/** The parameters of a batch, one array each, in the order of `MAY_READ_IN_BATCH`. */
export const accessColumns = (questions: readonly AccessParameters[]) => [
  questions.map(({ tenantId }) => tenantId),
  questions.map(({ spaceId }) => spaceId),
  questions.map(({ actorId }) => actorId),
  questions.map(({ isGuest }) => isGuest),
]

/** `mayRead` for the rows `a` of a batch. */
export const MAY_READ_IN_BATCH = mayRead({ actor: 'a.actor_id', isGuest: 'a.is_guest' })

/** `mayRead` in a raw statement of Prisma. */
export function readable(viewer: Viewer, spaceId: string): Prisma.Sql {
  return within(accessParameters(viewer, spaceId), mayRead)
}

/** `mayWrite` in a raw statement of Prisma. */
export function writable(viewer: Viewer, spaceId: string): Prisma.Sql {
  return within(accessParameters(viewer, spaceId), mayWrite)
}

/** Whether a viewer may read a space `s` of a list. */
export function readableOf({ actorId, isGuest, limits }: Viewer): Prisma.Sql {
  const spaceIds = limits.spaceIds && [...limits.spaceIds]
  return Prisma.sql`(${spaceIds}::text[] IS NULL OR s.space_id = ANY (${spaceIds}::text[])) AND ${within({ actorId, isGuest }, mayReadEach)}`
}

/** Fills in a condition, which may use each of the two more than once. */
function within(
  { actorId, isGuest }: Pick<AccessParameters, 'actorId' | 'isGuest'>,
  condition: (viewer: SqlViewer) => string,
): Prisma.Sql {
  const parts = condition({ actor: '\u0000a', isGuest: '\u0000g' }).split('\u0000')
  const values = parts.slice(1).map((part) => (part.startsWith('a') ? actorId : isGuest))
  return Prisma.sql([parts[0] as string, ...parts.slice(1).map((part) => part.slice(1))], ...values)
}
