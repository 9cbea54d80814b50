import { DEFAULT_PREFERENCES, type Preferences, unknown, type Viewer } from '@collab-spaces/domain'
import { lockBearer } from '../access/lock.js'
import { readable } from '../access/view.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma } from '../generated/client.js'
import { defaultNoticeLevel } from './personal.js'

const DEFAULT_NOTICE_LEVEL = Prisma.raw(defaultNoticeLevel('f.tenant_id', 'f.actor_id'))

export const preferenceStore = ({ prisma }: StoreContext) => ({
  /** Omitted values stay. 404 for a space that the actor does not see. Throws if the credential has ended. */
  change: (by: Viewer & Bearer, spaceId: string, { pinned, notices }: Partial<Preferences>): Promise<Preferences> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, by)
      const [row] = await tx.$queryRaw<Preferences[]>`
        INSERT INTO space_preferences AS f (tenant_id, actor_id, space_id, is_pinned, notices)
        SELECT tenant_id, ${actorId}, space_id, ${pinned ?? DEFAULT_PREFERENCES.pinned}, ${notices ?? null}::text FROM spaces s
        WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND ${readable(by, spaceId)}
        ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET
          is_pinned = coalesce(${pinned ?? null}::bool, f.is_pinned),
          notices = coalesce(${notices ?? null}::text, f.notices)
        RETURNING is_pinned AS pinned, coalesce(f.notices, ${DEFAULT_NOTICE_LEVEL}) AS notices`
      if (!row) throw unknown('Space')
      return row
    }),
})
