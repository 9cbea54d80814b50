import type { StoreContext, Transaction } from '../connection/store-context.js'

/** A record of the OAuth library, as JSON. */
export type OauthPayload = Readonly<Record<string, unknown>>

/** The key of a record: its kind, and the SHA-256 of its id. */
export interface OauthPlace {
  readonly kind: string
  readonly idHash: Buffer
}

export interface NewOauthRecord extends OauthPlace {
  /** The grant of the record; null before there is one. */
  readonly grantId: string | null
  readonly payload: OauthPayload
  /** The lifetime, in seconds. */
  readonly lastsSeconds: number
}

const STORE = `
  INSERT INTO oauth_records (kind, id_hash, grant_id, payload, expires_at)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
  ON CONFLICT (kind, id_hash) DO UPDATE SET
    grant_id = excluded.grant_id, payload = excluded.payload, expires_at = excluded.expires_at`

const SWEEP_INTERVAL_MS = 60_000
/** The expired records deleted at a time. */
const SWEPT_AT_ONCE = 1_000
const SWEEP = `
  DELETE FROM oauth_records WHERE ctid IN (
    SELECT ctid FROM oauth_records WHERE expires_at <= now() LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)`

/** Marks a code or a refresh token as used. False if it was used before; of concurrent calls, one succeeds. */
export async function consumeRecord(tx: Transaction, { kind, idHash }: OauthPlace): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE oauth_records SET payload = payload || jsonb_build_object('consumed', extract(epoch FROM now())::int)
    WHERE kind = ${kind} AND id_hash = ${new Uint8Array(idHash)} AND payload->'consumed' IS NULL`
  return count === 1
}

export function oauthRecordStore({ requests }: StoreContext) {
  let sweptAt = 0

  return {
    /** Inserts or replaces a record. Occasionally deletes expired ones. */
    async store({ kind, idHash, grantId, payload, lastsSeconds }: NewOauthRecord): Promise<void> {
      await requests.query(STORE, [kind, idHash, grantId, JSON.stringify(payload), lastsSeconds])
      if (performance.now() - sweptAt < SWEEP_INTERVAL_MS) return
      sweptAt = performance.now()
      await requests.query(SWEEP)
    },

    /** Finds a record; null for an unknown or expired one. */
    async find({ kind, idHash }: OauthPlace): Promise<OauthPayload | null> {
      const { rows } = await requests.query<{ payload: OauthPayload }>(
        'SELECT payload FROM oauth_records WHERE kind = $1 AND id_hash = $2 AND expires_at > now()',
        [kind, idHash],
      )
      return rows[0]?.payload ?? null
    },

    /** Extends the lifetime of a record to the given seconds, unless it is longer. */
    async prolong({ kind, idHash }: OauthPlace, lastsSeconds: number): Promise<void> {
      await requests.query(
        `UPDATE oauth_records SET expires_at = now() + $3 * interval '1 second'
         WHERE kind = $1 AND id_hash = $2 AND expires_at < now() + $3 * interval '1 second'`,
        [kind, idHash, lastsSeconds],
      )
    },

    async delete({ kind, idHash }: OauthPlace): Promise<void> {
      await requests.query('DELETE FROM oauth_records WHERE kind = $1 AND id_hash = $2', [kind, idHash])
    },

    /** Deletes the records of one kind and one grant. */
    async deleteOf(kind: string, grantId: string): Promise<void> {
      await requests.query('DELETE FROM oauth_records WHERE kind = $1 AND grant_id = $2', [kind, grantId])
    },
  }
}
