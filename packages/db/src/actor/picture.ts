import { type ActorType, DEFAULT_TENANT, type TenantId, type Viewer } from '@collab-spaces/domain'
import { lockFor } from '../access/lock.js'
import { type ActorRecord, type AllowActor, actorRecord } from '../access/record.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { requireFileBytes } from '../quota/file-bytes.js'

/** A picture of an actor, and what decides who sees it. */
export interface PictureRecord {
  readonly actorId: string
  readonly tenantId: TenantId
  readonly actorType: ActorType
  readonly sponsorId: string | null
  /** A space that both have joined, where that decides; otherwise none. */
  readonly commonSpaces: readonly string[]
  /** In hexadecimal. */
  readonly sha256: string
}

/** The bytes of a picture, with their SHA-256. */
export interface NewPicture {
  readonly bytes: Uint8Array
  readonly sha256: Buffer
}

const LIST = {
  name: 'pictures',
  text: `
    SELECT a.actor_id AS "actorId", a.tenant_id AS "tenantId", a.actor_type AS "actorType", a.sponsor_id AS "sponsorId",
      encode(a.picture, 'hex') AS sha256,
      CASE WHEN $5 THEN ARRAY(
        SELECT p.space_id FROM participants p JOIN participants o USING (tenant_id, space_id)
        WHERE p.tenant_id = $1 AND p.actor_id = a.actor_id AND o.actor_id = $3
          AND ($4::text[] IS NULL OR p.space_id = ANY($4))
        LIMIT 1
      ) ELSE '{}' END AS "commonSpaces"
    FROM actors a
    WHERE a.tenant_id = $1 AND a.actor_id = ANY ($2) AND a.deleted_at IS NULL AND a.picture IS NOT NULL`,
}

export const pictureStore = ({ prisma, requests }: StoreContext) => ({
  /** Returns the pictures of some actors of the viewer's tenant, without their bytes. */
  async list(viewer: Viewer, actorIds: readonly string[]): Promise<PictureRecord[]> {
    const { tenantId, actorId, limits, isGuest } = viewer
    const needsSpace = isGuest || tenantId === DEFAULT_TENANT
    const values = [tenantId, actorIds, actorId, limits.spaceIds, needsSpace]
    return (await requests.query<PictureRecord>({ ...LIST, values })).rows
  },

  /** Returns the bytes of a picture; null once the actor has another one, or none. */
  async bytes({ actorId, sha256 }: Pick<PictureRecord, 'actorId' | 'sha256'>): Promise<Buffer | null> {
    const { rows } = await requests.query<{ bytes: Buffer }>({
      name: 'picture',
      text: `SELECT p.bytes FROM pictures p JOIN actors a USING (actor_id)
        WHERE p.actor_id = $1 AND a.picture = decode($2, 'hex')`,
      values: [actorId, sha256],
    })
    return rows[0]?.bytes ?? null
  },

  /**
   * Sets or removes the picture of an actor. `allow` may refuse by throwing. 404 for an unknown actor. Throws if the
   * credential has ended, and beyond the tenant's quota.
   */
  change: (
    actorId: string,
    by: Bearer,
    allow: AllowActor,
    picture: NewPicture | null,
    quota: number | null,
  ): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockFor(tx, by, actorId)
      allow(actor)
      if (picture) {
        await tx.$executeRaw`
          INSERT INTO pictures (actor_id, bytes) VALUES (${actorId}, ${picture.bytes})
          ON CONFLICT (actor_id) DO UPDATE SET bytes = excluded.bytes`
        await requireFileBytes(tx, actor.tenantId, quota)
      } else await tx.$executeRaw`DELETE FROM pictures WHERE actor_id = ${actorId}`
      const data = { picture: picture && new Uint8Array(picture.sha256) }
      return actorRecord(await tx.actor.update({ where: { actorId }, data }))
    }),
})
