import { type ActorType, LAST_USE_PRECISION_MS, type Scope, type TenantStatus } from '@collab-spaces/domain'
import DataLoader from 'dataloader'
import type pg from 'pg'

/** The actor behind a credential, as it is at this moment. */
export interface Principal {
  readonly actorId: string
  readonly actorType: ActorType
  readonly displayName: string
  readonly sponsorId: string | null
  readonly isAdmin: boolean
  readonly scope: Scope
  readonly tenantStatus: TenantStatus
}

interface PrincipalRow extends Principal {
  item: number
  /** A token whose last use has to be recorded again. */
  stalePatId: string | null
}

const LOOK_UP = `
  SELECT c.item, a.actor_id AS "actorId", a.actor_type AS "actorType", a.display_name AS "displayName",
    a.sponsor_id AS "sponsorId", a.is_admin AS "isAdmin", a.tenant_id AS scope, t.status AS "tenantStatus",
    c.stale_pat_id AS "stalePatId"
  FROM (
    SELECT h.item, k.actor_id, NULL AS stale_pat_id
    FROM unnest($1::bytea[]) WITH ORDINALITY AS h(hash, item)
    JOIN api_keys k ON k.key_hash = h.hash
    UNION ALL
    SELECT h.item, p.actor_id,
      CASE WHEN coalesce(p.last_used_at, '-infinity') < now() - $2 * interval '1 ms' THEN p.pat_id END
    FROM unnest($1::bytea[]) WITH ORDINALITY AS h(hash, item)
    JOIN personal_access_tokens p ON p.token_hash = h.hash AND p.revoked_at IS NULL
  ) c
  JOIN actors a ON a.actor_id = c.actor_id AND a.deleted_at IS NULL
  JOIN tenants t ON t.tenant_id = a.tenant_id`

const RECORD_USE = `
  UPDATE personal_access_tokens SET last_used_at = date_trunc('milliseconds', clock_timestamp())
  WHERE pat_id = ANY ($1::text[])`

export interface Credentials {
  /** The principal behind the SHA-256 of a credential, asked of the database each time; null when it opens nothing. */
  lookUp(hash: Buffer): Promise<Principal | null>
}

/** Look-ups of the same moment share one query; no answer is kept, so that a revocation holds at once. */
export function openCredentials(pool: pg.Pool): Credentials {
  const loader = new DataLoader<Buffer, Principal | null>(
    async (hashes) => {
      const { rows } = await pool.query<PrincipalRow>({
        name: 'look_up',
        text: LOOK_UP,
        values: [hashes, LAST_USE_PRECISION_MS],
      })
      const principals: (Principal | null)[] = hashes.map(() => null)
      for (const { item, stalePatId, ...principal } of rows) principals[item - 1] = principal
      const used = rows.flatMap(({ stalePatId }) => stalePatId ?? [])
      if (used.length > 0) await pool.query({ name: 'record_use', text: RECORD_USE, values: [used] })
      return principals
    },
    { cache: false, maxBatchSize: 200, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  )
  return { lookUp: (hash) => loader.load(hash) }
}
