import { CONVERSATION_PATTERN, type TenantId } from '@collab-spaces/domain'
import { isPresent } from '../access/presence.js'
import { mayRead } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import { joinPersonal, type PersonalView, personalView } from './personal.js'

/** A space from the view of a participant. */
export interface JoinedSpace extends Omit<PersonalView, 'preferences'> {
  readonly actorId: string
  readonly spaceId: string
  readonly eventCount: number
  readonly lastEventAt: Date | null
}

/** A person who came or went. */
export interface PresenceChange {
  readonly actorId: string
  readonly isPresent: boolean
  /** Its conversations, and its spaces among those that are followed. */
  readonly spaceIds: readonly string[]
}

/** The spaces in which a change of presence is told, the latest ones. */
const MAX_SPACES_OF_PERSON = 1_000

/** A listening actor. */
export interface Listener {
  readonly actorId: string
  readonly isGuest: boolean
}

const MEMBER = { tenant: 's.tenant_id', space: 's.space_id', actor: 'p.actor_id' }

const MEMBERS = {
  name: 'audience_members',
  text: `
    SELECT p.actor_id AS "actorId", s.space_id AS "spaceId", s.head AS "eventCount", s.last_event_at AS "lastEventAt",
      ${personalView({ head: 's.head', ...MEMBER })}
    FROM spaces s
    JOIN participants p ON p.tenant_id = s.tenant_id AND p.space_id = s.space_id AND p.actor_id = ANY ($3)
    ${joinPersonal(MEMBER)}
    WHERE s.tenant_id = $1 AND s.space_id = ANY ($2)`,
}

const READERS = {
  name: 'audience_readers',
  text: `
    SELECT a.actor_id AS "actorId", s.space_id AS "spaceId"
    FROM spaces s CROSS JOIN unnest($3::text[], $4::bool[]) AS a(actor_id, is_guest)
    WHERE s.tenant_id = $1 AND s.space_id = ANY ($2) AND ${mayRead({ actor: 'a.actor_id', isGuest: 'a.is_guest' })}`,
}

const SHARING = {
  name: 'audience_sharing',
  text: `
    SELECT p.actor_id AS "actorId", array_agg(space_id) AS "spaceIds"
    FROM participants g JOIN participants p USING (tenant_id, space_id)
    WHERE g.tenant_id = $1 AND g.actor_id = $2 AND p.actor_id = ANY ($3) GROUP BY p.actor_id`,
}

/** Conversations count beyond the followed spaces, as lists show them. */
const PRESENT = {
  name: 'audience_present',
  text: `
    SELECT c.actor_id AS "actorId", ${isPresent({ tenant: '$1', actor: 'c.actor_id' })} AS "isPresent", ARRAY(
      SELECT p.space_id FROM participants p
      WHERE p.tenant_id = $1 AND p.actor_id = c.actor_id
        AND (p.space_id = ANY ($3) OR p.space_id ~ '${CONVERSATION_PATTERN}')
      ORDER BY p.joined_at DESC LIMIT ${MAX_SPACES_OF_PERSON}
    ) AS "spaceIds"
    FROM unnest($2::text[]) AS c(actor_id)`,
}

const PARTICIPANTS = {
  name: 'audience_participants',
  text: `
    SELECT space_id AS "spaceId", actor_id AS "actorId" FROM participants
    WHERE tenant_id = $1 AND space_id = ANY ($2) AND actor_id = ANY ($3)`,
}

/** The current listeners that receive a signal. */
export const audienceStore = ({ long }: StoreContext) => ({
  /** The participants of spaces, each with its own view of the space. */
  async members(tenantId: TenantId, spaceIds: readonly string[], actorIds: readonly string[]): Promise<JoinedSpace[]> {
    return (await long.query<JoinedSpace>({ ...MEMBERS, values: [tenantId, spaceIds, actorIds] })).rows
  },

  /** The listeners that see spaces, whether or not they participate. */
  async readers(
    tenantId: TenantId,
    spaceIds: readonly string[],
    listeners: readonly Listener[],
  ): Promise<Pick<JoinedSpace, 'actorId' | 'spaceId'>[]> {
    const values = [
      tenantId,
      spaceIds,
      listeners.map(({ actorId }) => actorId),
      listeners.map(({ isGuest }) => isGuest),
    ]
    return (await long.query<Pick<JoinedSpace, 'actorId' | 'spaceId'>>({ ...READERS, values })).rows
  },

  /** The presence of people, and the spaces in which it is seen. */
  async presences(
    tenantId: TenantId,
    actorIds: readonly string[],
    followed: readonly string[],
  ): Promise<PresenceChange[]> {
    return (await long.query<PresenceChange>({ ...PRESENT, values: [tenantId, actorIds, followed] })).rows
  },

  /** The participants of spaces among some actors. */
  async participants(
    tenantId: TenantId,
    spaceIds: readonly string[],
    actorIds: readonly string[],
  ): Promise<Pick<JoinedSpace, 'actorId' | 'spaceId'>[]> {
    const values = [tenantId, spaceIds, actorIds]
    return (await long.query<Pick<JoinedSpace, 'actorId' | 'spaceId'>>({ ...PARTICIPANTS, values })).rows
  },

  /** The listeners that share spaces with an actor, each with these spaces. */
  async sharingWith(
    tenantId: TenantId,
    actorId: string,
    actorIds: readonly string[],
  ): Promise<Pick<PresenceChange, 'actorId' | 'spaceIds'>[]> {
    const values = [tenantId, actorId, actorIds]
    return (await long.query<Pick<PresenceChange, 'actorId' | 'spaceIds'>>({ ...SHARING, values })).rows
  },
})
