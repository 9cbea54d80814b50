import { opensSpace, type ReadableSpace, type TenantId, type Viewer } from '@collab-spaces/domain'
import { Prisma } from '../generated/client.js'

/** A space, once a statement has found it for its viewer. */
export const foundFor = ({ tenantId }: Viewer, spaceId: string) => ({ tenantId, spaceId }) as ReadableSpace

/** Any space, for background work of the server and for the operator. */
export const asSystem = (tenantId: TenantId, spaceId: string) => ({ tenantId, spaceId }) as ReadableSpace

/** A viewer in SQL: expressions, such as parameters, or columns of those who ask together. */
interface SqlViewer {
  readonly actor: string
  readonly isGuest: string
}

/** An open space is looked at no further. */
const isOpenTo = (isGuest: string) => `s.visibility = 'open' AND NOT ${isGuest}`

/** Whether a viewer takes part in a space `s`, or may begin to. The log asks the same in its own statement. */
export const mayWrite = ({ actor, isGuest }: SqlViewer) => `(${isOpenTo(isGuest)} OR EXISTS (
  SELECT FROM participants v WHERE v.tenant_id = s.tenant_id AND v.space_id = s.space_id AND v.actor_id = ${actor}))`

/**
 * Whether a viewer sees a space `s`, but for what its credential does not open: see `seenAs`. No agent is anywhere that its
 * human cannot read.
 */
export const mayRead = ({ actor, isGuest }: SqlViewer) =>
  `(${isOpenTo(isGuest)} OR has_part_in(${actor}, s.tenant_id, s.space_id))`

/** The same for each of many spaces, of which most may be hidden: to call a function for each would take long. */
const mayReadEach = (viewer: SqlViewer) => `(${mayWrite(viewer)} OR EXISTS (
  SELECT FROM actors g JOIN participants v ON v.actor_id = g.actor_id
  WHERE g.sponsor_id = ${viewer.actor} AND v.tenant_id = s.tenant_id AND v.space_id = s.space_id))`

/** The spaces `s` of a list that a viewer sees: those that its credential opens, too. */
export const mayReadOf = (viewer: SqlViewer, spaceIds: string) =>
  `(${spaceIds}::text[] IS NULL OR s.space_id = ANY (${spaceIds}::text[])) AND ${mayReadEach(viewer)}`

/** The parameters of a viewer that asks for one space, for `mayRead` and `mayWrite`. */
export interface SpaceQuestion {
  readonly tenantId: string
  readonly spaceId: string
  readonly actorId: string
  readonly isGuest: boolean
}

/** The ID of no actor. */
const NO_ACTOR = ''

/** With a credential that does not open a space, one looks as a guest who is nowhere. */
export function asking(viewer: Viewer, spaceId: string): SpaceQuestion {
  const { tenantId, actorId, isGuest, limits } = viewer
  return opensSpace(limits, spaceId)
    ? { tenantId, spaceId, actorId, isGuest }
    : { tenantId, spaceId, actorId: NO_ACTOR, isGuest: true }
}

/** The parameters of a statement whose first four are about a space and who asks. */
export const questionOf = (viewer: Viewer, spaceId: string) => {
  const { tenantId, actorId, isGuest } = asking(viewer, spaceId)
  return [tenantId, spaceId, actorId, isGuest] as const
}

/** `mayRead` for these parameters. */
export const ASKED = mayRead({ actor: '$3', isGuest: '$4' })

/** The parameters of several questions, in the order of `ASKED_TOGETHER`. */
export const questionsOf = (questions: readonly SpaceQuestion[]) => [
  questions.map(({ tenantId }) => tenantId),
  questions.map(({ spaceId }) => spaceId),
  questions.map(({ actorId }) => actorId),
  questions.map(({ isGuest }) => isGuest),
]

/** `mayRead` for rows `a` of several questions. */
export const ASKED_TOGETHER = mayRead({ actor: 'a.actor_id', isGuest: 'a.is_guest' })

/** `mayRead` within a statement of Prisma's. */
export function readable(viewer: Viewer, spaceId: string): Prisma.Sql {
  return within(asking(viewer, spaceId), mayRead)
}

/** `mayWrite` within a statement of Prisma's. */
export function writable(viewer: Viewer, spaceId: string): Prisma.Sql {
  return within(asking(viewer, spaceId), mayWrite)
}

/** Whether a viewer sees a space `s` of many. */
export function readableOf({ actorId, isGuest, limits }: Viewer): Prisma.Sql {
  const spaceIds = limits.spaceIds && [...limits.spaceIds]
  return Prisma.sql`(${spaceIds}::text[] IS NULL OR s.space_id = ANY (${spaceIds}::text[])) AND ${within({ actorId, isGuest }, mayReadEach)}`
}

/** Fills in a condition, whose text has a place for each of the two wherever they stand. */
function within(
  { actorId, isGuest }: Pick<SpaceQuestion, 'actorId' | 'isGuest'>,
  condition: (viewer: SqlViewer) => string,
): Prisma.Sql {
  const parts = condition({ actor: '\u0000a', isGuest: '\u0000g' }).split('\u0000')
  const values = parts.slice(1).map((part) => (part.startsWith('a') ? actorId : isGuest))
  return Prisma.sql([parts[0] as string, ...parts.slice(1).map((part) => part.slice(1))], ...values)
}
