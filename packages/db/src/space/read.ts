import type { ReadableSpace, SpaceStatus, TenantId, Viewer } from '@collab-spaces/domain'
import type pg from 'pg'
import {
  type AccessParameters,
  accessColumns,
  accessParameters,
  asReadable,
  MAY_READ_IN_BATCH,
  mayRead,
  mayReadOf,
} from '../access/view.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { type Listing, listing, type Part } from '../connection/listing.js'
import type { StoreContext } from '../connection/store-context.js'
import { OWNERS, ownersNow } from './owner.js'
import { type Partner, partnersIn } from './partner.js'
import { joinPersonal, type PersonalView, personalView } from './personal.js'
import { type OwnedSpace, type SpaceKey, type SpaceRecord, spaceRecord } from './record.js'

export type CountedSpace = OwnedSpace & { readonly participantCount: number }

/** A space in a viewer's list. */
export type ListedSpace = CountedSpace & PersonalView & { readonly partners: readonly Partner[] }

/** The position of a space in lists. */
type SpacePlace = Pick<SpaceRecord, 'startedAt' | 'spaceId'>

export interface SpaceFilter {
  readonly status?: SpaceStatus | undefined
}

/** The spaces of a viewer's list: all that it sees, or only those that it has joined. */
export interface ViewerFilter extends SpaceFilter {
  readonly isJoined: boolean
}

const SPACE = `
  s.space_id AS "spaceId", s.title, s.description, s.status, s.visibility, s.links, s.started_at AS "startedAt",
  s.ended_at AS "endedAt", s.head AS "eventCount", s.last_event_at AS "lastEventAt"`

const KEYS_PER_STATEMENT = 50

/** Finds spaces for a viewer. Nearly every request within a space begins with this. */
const spacesSeen = <Found>(pool: pg.Pool, name: string, columns: string) =>
  batched({ most: KEYS_PER_STATEMENT }, async (questions: readonly AccessParameters[]) => {
    const { rows } = await pool.query<Found & Ordinal>({
      name,
      text: `SELECT a.ordinal, ${columns}
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[])
           WITH ORDINALITY AS a(tenant_id, space_id, actor_id, is_guest, ordinal)
         JOIN spaces s USING (tenant_id, space_id) WHERE ${MAY_READ_IN_BATCH}`,
      values: accessColumns(questions),
    })
    return inOrder(rows, questions.length)
  })

const COUNT = '(SELECT count(*) FROM participants p WHERE p.tenant_id = s.tenant_id AND p.space_id = s.space_id)'

/** The newest spaces `s` of a tenant that match a condition, whose parameters are `$1` to `$5`. */
const newestOf = (condition: string) => `
  SELECT s.* FROM spaces s
  WHERE s.tenant_id = $1 AND ($2::text IS NULL OR s.status = $2)
    AND ($3::timestamptz IS NULL OR (s.started_at, s.space_id) < ($3, $4))
    AND ${condition}
  ORDER BY s.started_at DESC, s.space_id DESC LIMIT $5`

/** A page of spaces in a list. */
const pageOf = (spaces: string) => `
  SELECT ${SPACE}, ${OWNERS} AS owners, ${COUNT} AS "participantCount"
  FROM (${spaces}) s ORDER BY s.started_at DESC, s.space_id DESC`

const LISTED = { tenant: '$1', space: 's."spaceId"', actor: '$6' }
const IS_SEEN = mayReadOf({ actor: '$6', isGuest: '$7' }, '$8')

/** Runs after the selection of the page, so the actor's view is read only for the spaces of the page. */
const viewsOf = (page: string) => `
  SELECT s.*, ${personalView({ head: 's."eventCount"', ...LISTED })},
    ${partnersIn(LISTED.space, LISTED.actor)} AS partners
  FROM (${page}) s
  ${joinPersonal(LISTED)}
  ORDER BY s."startedAt" DESC, s."spaceId" DESC`

const LIST = { name: 'spaces_list', text: viewsOf(pageOf(newestOf(IS_SEEN))) }

/** An actor in fewer spaces gets them sorted; one in more, out of all spaces of the tenant in their order. */
const FEW = 500

const IN_JOINED = 's.space_id = ANY (ARRAY(SELECT space_id FROM joined))'
const IS_JOINED = `EXISTS (
  SELECT FROM participants p
  WHERE p.tenant_id = s.tenant_id AND p.space_id = s.space_id AND p.actor_id = $6 OFFSET 0)`

const LIST_JOINED = {
  name: 'joined_spaces_list',
  text: `
    WITH joined AS MATERIALIZED (
      SELECT space_id FROM participants WHERE tenant_id = $1 AND actor_id = $6 LIMIT ${FEW}
    )
    ${viewsOf(
      pageOf(`
        (${newestOf(`(SELECT count(*) FROM joined) < ${FEW} AND ${IN_JOINED} AND ${IS_SEEN}`)})
        UNION ALL
        (${newestOf(`(SELECT count(*) FROM joined) = ${FEW} AND ${IS_JOINED} AND ${IS_SEEN}`)})`),
    )}`,
}

const LIST_PRIVATE = { name: 'private_spaces', text: pageOf(newestOf(`s.visibility = 'private'`)) }

const LIST_AS_SYSTEM = { name: 'spaces_list_as_system', text: pageOf(newestOf('true')) }

/** The rows of a list that are read in one batch. A space may have links of 200 KiB. */
const PAGE_SIZE = 50

/** A long-lived viewer of a space, such as a stream. */
export interface SpaceLook {
  readonly space: SpaceKey
  readonly actorId: string
}

const HIDDEN = `
  SELECT a.ordinal
  FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS a(tenant_id, space_id, actor_id, ordinal)
  WHERE NOT EXISTS (
    SELECT FROM spaces s JOIN actors l ON l.actor_id = a.actor_id
    WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id
      AND ${mayRead({ actor: 'a.actor_id', isGuest: 'l.is_guest' })} OFFSET 0)`

export function spaceReads({ prisma, requests, callers }: StoreContext) {
  const findOne = spacesSeen<SpaceRecord>(requests, 'spaces', SPACE)
  const findOwned = spacesSeen<OwnedSpace>(requests, 'owned_spaces', `${SPACE}, ${OWNERS} AS owners`)
  const list = <Listed extends CountedSpace>(
    statement: { readonly name: string; readonly text: string },
    tenantId: TenantId,
    { status }: SpaceFilter,
    more: readonly unknown[],
    part?: Part<SpacePlace>,
  ): Promise<Listing<Listed>> =>
    listing(
      PAGE_SIZE,
      async (after: SpacePlace | null, take) => {
        const start = [after?.startedAt ?? null, after?.spaceId ?? null]
        const values = [tenantId, status ?? null, ...start, take, ...more]
        return (await requests.query<Listed>({ ...statement, values })).rows
      },
      part,
    )

  return {
    async find(viewer: Viewer, spaceId: string): Promise<(SpaceRecord & ReadableSpace) | null> {
      const space = await findOne(accessParameters(viewer, spaceId))
      return space && Object.assign(space, asReadable(viewer, spaceId))
    },

    /** With the ids of its owners. */
    async findOwned(viewer: Viewer, spaceId: string): Promise<(OwnedSpace & ReadableSpace) | null> {
      const space = await findOwned(accessParameters(viewer, spaceId))
      return space && Object.assign(space, asReadable(viewer, spaceId))
    },

    /** For the operator. */
    async findAsSystem(tenantId: TenantId, spaceId: string): Promise<OwnedSpace | null> {
      const space = await prisma.space.findFirst({ where: { tenantId, spaceId } })
      return space && { ...spaceRecord(space), owners: await ownersNow(prisma, tenantId, spaceId) }
    },

    /** Selects the views of actors that no longer see the space, by their current state. */
    async hidden<Look extends SpaceLook>(looks: readonly Look[]): Promise<Look[]> {
      if (looks.length === 0) return []
      const { rows } = await callers.query<Ordinal>({
        name: 'hidden_spaces',
        text: HIDDEN,
        values: [
          looks.map(({ space }) => space.tenantId),
          looks.map(({ space }) => space.spaceId),
          looks.map(({ actorId }) => actorId),
        ],
      })
      return rows.map(({ ordinal }) => looks[ordinal - 1] as Look)
    },

    /** Spaces visible to a viewer, newest first, each with its state for the viewer. */
    list: (
      { tenantId, actorId, isGuest, limits }: Viewer,
      filter: ViewerFilter,
      part?: Part<SpacePlace>,
    ): Promise<Listing<ListedSpace>> =>
      list(filter.isJoined ? LIST_JOINED : LIST, tenantId, filter, [actorId, isGuest, limits.spaceIds], part),

    /** The private spaces of a tenant, for its admins: only their existence, owners and size. */
    listPrivate: (tenantId: TenantId): Promise<Listing<CountedSpace>> => list(LIST_PRIVATE, tenantId, {}, []),

    /** All spaces of a tenant, for the operator. */
    listAsSystem: (tenantId: TenantId, filter: SpaceFilter): Promise<Listing<CountedSpace>> =>
      list(LIST_AS_SYSTEM, tenantId, filter, []),
  }
}
