import { type AttributionPolicy, LAST_USE_PRECISION_MS, type TenantLocation, type Viewer } from '@collab-spaces/domain'
import { isInService } from '../access/in-service.js'
import { type LimitColumns, limitsIn } from '../access/limits.js'
import type { ActorRecord } from '../access/record.js'
import { type StopColumns, stopIn } from '../access/stop-columns.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'

/** The current actor of a credential. */
export interface Principal
  extends TenantLocation,
    Viewer,
    Pick<ActorRecord, 'actorType' | 'displayName' | 'sponsorId' | 'isAdmin' | 'stopped'> {
  /** The attributions that the tenant policy allows. */
  readonly attribution: AttributionPolicy
  /** The id of the personal access token, or `api_key`. */
  readonly credentialId: string
  /** Whether the credential has expired. */
  readonly isExpired: boolean
  /** The installation that an agent is connected to; null while it is available. */
  readonly installationId: string | null
}

/** The authenticated actor of a request, as of the authentication. */
export interface Bearer extends Pick<Principal, 'actorId' | 'tenantId' | 'credentialId'> {
  /** The client address for rate limits; null for loopback. */
  address(): string | null
  /** The SHA-256 of the credential. */
  readonly credentialHash: Buffer
}

/** A credential whose use is to be recorded. */
interface UnrecordedCredential {
  /** The id of a token, or of the agent whose key it is. */
  readonly unrecordedId: string | null
}

/** An actor whose last activity is to be recorded. */
interface UnrecordedUse {
  readonly unnotedId: string | null
}

interface PrincipalRow
  extends Omit<Principal, 'limits' | 'stopped' | 'viewer'>,
    LimitColumns,
    StopColumns,
    Ordinal,
    UnrecordedCredential,
    UnrecordedUse {}

/** The id of a token `p` if the record of its last use is stale. */
const STALE_PAT_ID = `
  CASE WHEN coalesce(p.last_used_at, '-infinity') < now() - interval '${LAST_USE_PRECISION_MS} ms' THEN p.pat_id END
    AS unrecorded_id`

/** The id of an actor `a` if the record of its last activity is stale. */
const UNNOTED_ID = `
  CASE WHEN coalesce(a.last_seen_at, '-infinity') < now() - interval '${LAST_USE_PRECISION_MS} ms' THEN a.actor_id END
    AS "unnotedId"`

/** The agent of a key `k` that was issued for a code and is used for the first time. */
const AGENT_OF_NEW_KEY = 'CASE WHEN k.unused_until > now() THEN k.actor_id END AS unrecorded_id'

const LOOK_UP = `
  SELECT c.ordinal, a.actor_id AS "actorId", a.actor_type AS "actorType", a.display_name AS "displayName",
    a.sponsor_id AS "sponsorId", a.is_admin AS "isAdmin", a.is_guest AS "isGuest", a.tenant_id AS "tenantId", t.status AS "tenantStatus",
    t.location AS "tenantLocation", t.attribution,
    c.credential_id AS "credentialId", c.unrecorded_id AS "unrecordedId", c.limits,
    CASE WHEN NOT c.is_session THEN c.expires_at END AS "expiresAt",
    coalesce(c.expires_at <= now(), false) AS "isExpired", a.stopped_at AS "stoppedAt", a.stopped_by AS "stoppedBy",
    a.stop_reason AS "stopReason", a.installation_id AS "installationId", ${UNNOTED_ID}
  FROM (
    SELECT h.ordinal, k.actor_id, k.limits, k.expires_at, 'api_key' AS credential_id, false AS is_session,
      ${AGENT_OF_NEW_KEY}
    FROM unnest($1::bytea[]) WITH ORDINALITY AS h(hash, ordinal)
    JOIN api_keys k ON k.key_hash = h.hash
    UNION ALL
    SELECT h.ordinal, p.actor_id, p.limits, p.expires_at, p.pat_id, p.kind = 'session',
      ${STALE_PAT_ID}
    FROM unnest($1::bytea[]) WITH ORDINALITY AS h(hash, ordinal)
    JOIN personal_access_tokens p ON p.token_hash = h.hash AND p.revoked_at IS NULL
  ) c
  JOIN actors a ON a.actor_id = c.actor_id AND a.deleted_at IS NULL AND a.disabled_at IS NULL
  JOIN tenants t ON t.tenant_id = a.tenant_id`

/** Whether the tenant of an actor is not moving. A moving tenant is not changed. */
const IS_HERE = (credential: string) => `EXISTS (
  SELECT FROM actors a WHERE a.actor_id = ${credential}.actor_id AND ${isInService('a.tenant_id')})`

/** Skips rows locked by a concurrent rotation or revocation. */
const RECORD_USE = `
  WITH used_keys AS (
    UPDATE api_keys SET unused_until = NULL
    WHERE actor_id IN (
      SELECT k.actor_id FROM api_keys k
      WHERE k.actor_id = ANY ($1::text[]) AND k.unused_until IS NOT NULL AND ${IS_HERE('k')}
      FOR NO KEY UPDATE SKIP LOCKED
    )
  )
  UPDATE personal_access_tokens SET last_used_at = date_trunc('milliseconds', now())
  WHERE pat_id IN (
    SELECT p.pat_id FROM personal_access_tokens p WHERE p.pat_id = ANY ($1::text[]) AND ${IS_HERE('p')}
    FOR NO KEY UPDATE SKIP LOCKED
  )`

/** Records the last activity of actors, by any credential. Skips locked rows, too. */
const NOTE_SEEN = `
  UPDATE actors SET last_seen_at = date_trunc('milliseconds', now())
  WHERE actor_id IN (
    SELECT s.actor_id FROM actors s WHERE s.actor_id = ANY ($1::text[]) AND ${IS_HERE('s')}
    ORDER BY s.actor_id FOR NO KEY UPDATE SKIP LOCKED
  )`

/**
 * The credentials that have changed or whose use is to be recorded, by index. Usually there are none.
 */
const CHANGED = `
  SELECT h.ordinal, c.actor_id IS NULL AS "hasEnded", coalesce(c.is_stopped, false) AS "isStopped",
    c.unrecorded_id AS "unrecordedId", c."unnotedId"
  FROM unnest($1::bytea[], $2::uuid[], $3::bool[], $4::bool[], $5::bool[])
    WITH ORDINALITY AS h(hash, tenant_id, is_stopped, is_guest, is_admin, ordinal)
  LEFT JOIN LATERAL (
    SELECT a.actor_id, a.stopped_at IS NOT NULL AS is_stopped, c.unrecorded_id, ${UNNOTED_ID}
    FROM (
      SELECT k.actor_id, k.expires_at, NULL AS unrecorded_id FROM api_keys k WHERE k.key_hash = h.hash
      UNION ALL
      SELECT p.actor_id, p.expires_at, ${STALE_PAT_ID}
      FROM personal_access_tokens p WHERE p.token_hash = h.hash AND p.revoked_at IS NULL
    ) c
    JOIN actors a ON a.actor_id = c.actor_id AND a.tenant_id = h.tenant_id AND a.is_guest = h.is_guest
      AND a.is_admin = h.is_admin AND a.deleted_at IS NULL AND a.disabled_at IS NULL
    JOIN tenants t ON t.tenant_id = a.tenant_id AND t.status = 'active'
    WHERE c.expires_at IS NULL OR c.expires_at > now()
  ) c ON true
  WHERE c.actor_id IS NULL OR (c.is_stopped AND NOT h.is_stopped) OR c.unrecorded_id IS NOT NULL
    OR c."unnotedId" IS NOT NULL`

interface ChangedRow extends Ordinal, UnrecordedCredential, UnrecordedUse {
  readonly hasEnded: boolean
  readonly isStopped: boolean
}

/** The credential of a long-lived connection, with its rights at the start. */
export interface HeldCredential
  extends Pick<Principal, 'tenantId' | 'isGuest' | 'isAdmin'>,
    Pick<Bearer, 'credentialHash'> {
  /** Whether the agent was stopped at the start. */
  readonly wasStopped: boolean
}

/** A change to a credential. */
export interface Change<H extends HeldCredential> {
  readonly held: H
  /** Whether its rights have changed. If false, the agent has been stopped since. */
  readonly hasEnded: boolean
}

const LOOK_UPS_PER_STATEMENT = 200

/** Credentials are not cached, so that a revocation takes effect immediately. */
export function credentialStore({ callers }: StoreContext) {
  async function recordUse(rows: readonly UnrecordedCredential[]): Promise<void> {
    const used = rows.flatMap(({ unrecordedId }) => unrecordedId ?? [])
    if (used.length > 0) await callers.query({ name: 'record_use', text: RECORD_USE, values: [used] })
  }

  /** Not awaited: after a failure, the next use is recorded instead. */
  function noteSeen(rows: readonly UnrecordedUse[]): void {
    const seen = new Set(rows.flatMap(({ unnotedId }) => unnotedId ?? []))
    if (seen.size === 0) return
    callers.query({ name: 'note_seen', text: NOTE_SEEN, values: [[...seen]] }).catch(() => {})
  }

  const findRow = batched({ most: LOOK_UPS_PER_STATEMENT }, async (hashes: readonly Buffer[]) => {
    const { rows } = await callers.query<PrincipalRow>({ name: 'look_up', text: LOOK_UP, values: [hashes] })
    const recorded = recordUse(rows)
    noteSeen(rows)
    return inOrder(rows, hashes.length).map((row) => row && { row, recorded })
  })

  return {
    /** Looks up the principal of a credential by its SHA-256; null if the credential is not valid. */
    async lookUp(hash: Buffer): Promise<Principal | null> {
      const found = await findRow(hash)
      if (!found) return null
      // Other requests and lookups do not wait for it.
      if (found.row.unrecordedId !== null) await found.recorded
      return principalOf(found.row)
    },

    /** The changes to many credentials, in one statement. Also records their use. */
    async changed<H extends HeldCredential>(held: readonly H[]): Promise<Change<H>[]> {
      const { rows } = await callers.query<ChangedRow>({
        name: 'changed_credentials',
        text: CHANGED,
        values: arraysOf<HeldCredential, keyof HeldCredential>(
          held,
          'credentialHash',
          'tenantId',
          'wasStopped',
          'isGuest',
          'isAdmin',
        ),
      })
      noteSeen(rows)
      await recordUse(rows)
      return rows.flatMap(({ ordinal, hasEnded, isStopped }) => {
        const one = held[ordinal - 1] as H
        return hasEnded || (isStopped && !one.wasStopped) ? { held: one, hasEnded } : []
      })
    },
  }
}

/** Names each field, because a rest spread is several times slower and every request passes here. */
function principalOf(row: PrincipalRow): Principal {
  const principal: Omit<Principal, 'viewer'> = {
    actorId: row.actorId,
    actorType: row.actorType,
    displayName: row.displayName,
    sponsorId: row.sponsorId,
    isAdmin: row.isAdmin,
    isGuest: row.isGuest,
    tenantId: row.tenantId,
    tenantStatus: row.tenantStatus,
    tenantLocation: row.tenantLocation,
    // A guest must not learn of other members.
    attribution: row.isGuest ? 'none' : row.attribution,
    credentialId: row.credentialId,
    limits: limitsIn(row, row.tenantId),
    isExpired: row.isExpired,
    stopped: stopIn(row),
    installationId: row.installationId,
  }
  return principal as Principal
}
