import { DEFAULT_PREFERENCES, LIMITS, type Preferences, type ReadableSpace } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** A space from the view of an actor. */
export interface PersonalView {
  /** The last event that the actor marked as seen; null for none. */
  readonly seenEventId: string | null
  /** The number of later events by other actors, up to `LIMITS.unread`. */
  readonly unread: number
  readonly preferences: Preferences
}

/** The tenant, the space and the actor of a statement, as SQL expressions. */
interface ViewKey {
  readonly tenant: string
  readonly space: string
  readonly actor: string
}

/** Looks up one row of each space by its key. A plain join would read all rows of the actor for every page. */
const lateralJoin = (name: string, columns: string, table: string, { tenant, space, actor }: ViewKey) => `
  LEFT JOIN LATERAL (
    SELECT ${columns} FROM ${table} x
    WHERE x.tenant_id = ${tenant} AND x.space_id = ${space} AND x.actor_id = ${actor} OFFSET 0) ${name} ON true`

/** The rows that `personalView` reads in addition to the space. */
export const joinPersonal = (key: ViewKey) => `
  ${lateralJoin('c', 'read_through', 'read_cursors', key)}
  ${lateralJoin('i', 'actor_id', 'participants', key)}
  ${lateralJoin('f', 'is_pinned, notices', 'space_preferences', key)}
  LEFT JOIN events v ON v.tenant_id = ${key.tenant} AND v.space_id = ${key.space} AND v.position = c.read_through`

/**
 * The columns of `PersonalView`. The unread count is that of later events by other actors, or the limit if that many
 * events came, which positions tell without a read. It is 0 in a space that the actor has neither joined nor viewed.
 */
export const personalView = ({ head, tenant, space, actor }: ViewKey & { readonly head: string }) => `
  v.event_id AS "seenEventId", CASE
    WHEN i.actor_id IS NULL AND coalesce(c.read_through, 0) = 0 THEN 0
    WHEN ${head} - coalesce(c.read_through, 0) >= ${LIMITS.unread} THEN ${LIMITS.unread}
    ELSE (
      SELECT count(*)::int FROM events n WHERE n.tenant_id = ${tenant} AND n.space_id = ${space}
        AND n.position > coalesce(c.read_through, 0) AND n.posted_by <> ${actor}) END AS unread,
  json_build_object(
    'pinned', coalesce(f.is_pinned, ${DEFAULT_PREFERENCES.pinned}),
    'notices', coalesce(f.notices, ${defaultNoticeLevel(tenant, actor)})) AS preferences`

/** The notice level of a space for which the actor has no preference. */
export const defaultNoticeLevel = (tenant: string, actor: string) => `coalesce(
  (SELECT d.notices FROM notification_settings d WHERE d.tenant_id = ${tenant} AND d.actor_id = ${actor}),
  '${DEFAULT_PREFERENCES.notices}')`

const PARAMETERS = { tenant: '$1', space: '$2', actor: '$3' }

const VIEW_OF_SPACE = {
  name: 'personal_view',
  text: `
    SELECT ${personalView({ head: 's.head', ...PARAMETERS })}
    FROM spaces s ${joinPersonal(PARAMETERS)}
    WHERE s.tenant_id = $1 AND s.space_id = $2`,
}

const EMPTY_VIEW: PersonalView = { seenEventId: null, unread: 0, preferences: DEFAULT_PREFERENCES }

export const personalStore = ({ requests }: StoreContext) => ({
  async of({ tenantId, spaceId }: ReadableSpace, actorId: string): Promise<PersonalView> {
    const { rows } = await requests.query<PersonalView>({ ...VIEW_OF_SPACE, values: [tenantId, spaceId, actorId] })
    return rows[0] ?? EMPTY_VIEW
  },
})
