import type { ActorType, Scope, TenantStatus } from '@collab-spaces/domain'
import DataLoader from 'dataloader'
import type pg from 'pg'

/** The actor behind a credential, as it is at this moment. */
export interface Principal {
  readonly actorId: string
  readonly actorType: ActorType
  readonly displayName: string
  readonly sponsorId: string | null
  readonly scope: Scope
  readonly tenantStatus: TenantStatus
}

interface PrincipalRow extends Principal {
  item: number
}

const LOOK_UP = `
  SELECT k.item, a.actor_id AS "actorId", a.actor_type AS "actorType", a.display_name AS "displayName",
    a.sponsor_id AS "sponsorId", a.tenant_id AS scope, t.status AS "tenantStatus"
  FROM unnest($1::bytea[]) WITH ORDINALITY AS k(hash, item)
  JOIN api_keys c ON c.key_hash = k.hash
  JOIN actors a ON a.actor_id = c.actor_id AND a.deleted_at IS NULL
  JOIN tenants t ON t.tenant_id = a.tenant_id`

export interface Credentials {
  /** The principal behind the SHA-256 of a credential, asked of the database each time; null when it opens nothing. */
  lookUp(hash: Buffer): Promise<Principal | null>
}

/** Look-ups of the same moment share one query; no answer is kept, so that a revocation holds at once. */
export function openCredentials(pool: pg.Pool): Credentials {
  const loader = new DataLoader<Buffer, Principal | null>(
    async (hashes) => {
      const { rows } = await pool.query<PrincipalRow>({ name: 'look_up', text: LOOK_UP, values: [hashes] })
      const principals: (Principal | null)[] = hashes.map(() => null)
      for (const { item, ...principal } of rows) principals[item - 1] = principal
      return principals
    },
    { cache: false, maxBatchSize: 200, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  )
  return { lookUp: (hash) => loader.load(hash) }
}
