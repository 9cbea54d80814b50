import type { StoreContext } from '../connection/store-context.js'

/** A record of the library, as JSON. */
export type OauthPayload = Readonly<Record<string, unknown>>

/** Names a record: its kind, and the SHA-256 of its id. */
export interface OauthPlace {
  readonly kind: string
  readonly idHash: Buffer
}

export interface NewOauthRecord extends OauthPlace {
  /** The grant that it belongs to; null if there is none yet. */
  readonly grantId: string | null
  readonly payload: OauthPayload
  /** In how many seconds it is over. */
  readonly lastsSeconds: number
}

const STORE = `
  INSERT INTO oauth_records (kind, id_hash, grant_id, payload, expires_at)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
  ON CONFLICT (kind, id_hash) DO UPDATE SET
    grant_id = excluded.grant_id, payload = excluded.payload, expires_at = excluded.expires_at`

const SWEEP_INTERVAL_MS = 60_000
/** So many records that are over are deleted at a time. */
const SWEPT_AT_ONCE = 1_000
const SWEEP = `
  DELETE FROM oauth_records WHERE ctid IN (
    SELECT ctid FROM oauth_records WHERE expires_at <= now() LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)`

export function oauthRecordStore({ requests }: StoreContext) {
  let sweptAt = 0

  return {
    /** Stores a record, in place of one of the same id. Now and then, deletes what is over. */
    async store({ kind, idHash, grantId, payload, lastsSeconds }: NewOauthRecord): Promise<void> {
      await requests.query(STORE, [kind, idHash, grantId, JSON.stringify(payload), lastsSeconds])
      if (performance.now() - sweptAt < SWEEP_INTERVAL_MS) return
      sweptAt = performance.now()
      await requests.query(SWEEP)
    },

    /** Null if there is none, or it is over. */
    async find({ kind, idHash }: OauthPlace): Promise<OauthPayload | null> {
      const { rows } = await requests.query<{ payload: OauthPayload }>(
        'SELECT payload FROM oauth_records WHERE kind = $1 AND id_hash = $2 AND expires_at > now()',
        [kind, idHash],
      )
      return rows[0]?.payload ?? null
    },

    /** Marks as used what may be used once. False if it had been: of two at the same time, one is first. */
    async consume({ kind, idHash }: OauthPlace): Promise<boolean> {
      const { rowCount } = await requests.query(
        `UPDATE oauth_records SET payload = payload || jsonb_build_object('consumed', extract(epoch FROM now())::int)
         WHERE kind = $1 AND id_hash = $2 AND NOT payload ? 'consumed'`,
        [kind, idHash],
      )
      return rowCount === 1
    },

    /** Lets a record last for so many more seconds, unless it lasts longer anyway. */
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

    /** Deletes the records that are of one kind, and of a grant. */
    async deleteOf(kind: string, grantId: string): Promise<void> {
      await requests.query('DELETE FROM oauth_records WHERE kind = $1 AND grant_id = $2', [kind, grantId])
    },
  }
}
