import { randomUUID } from 'node:crypto'
import type { NotificationSettings } from '@collab-spaces/domain'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { record } from '../audit/audit.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import type { InboxOwner } from '../inbox/attention.js'
import { removeChannels } from './channel.js'
import { columnsOf, type NotificationRecord, read } from './record.js'

/** A change by the owner. Undefined fields stay. */
export interface NotificationChange extends Partial<NotificationSettings> {
  /** Null for none. */
  readonly email?: string | null
}

/** The notification settings and the e-mail address of a human. */
export const settingsStore = ({ prisma }: StoreContext) => ({
  read: (owner: InboxOwner): Promise<NotificationRecord> => read(prisma, owner),

  /** A new address must be verified before messages are sent to it. Throws if the credential has ended. */
  change: (bearer: Bearer, { email, ...change }: NotificationChange, now: Date): Promise<NotificationRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels, ...before } = await read(tx, { tenantId, actorId })
      const columns = columnsOf({ ...before, ...change })
      await tx.notificationSettings.upsert({
        where: { tenantId_actorId: { tenantId, actorId } },
        create: { tenantId, actorId, ...columns },
        update: columns,
      })
      // Each was left until its old delay ends. The server that has one under lease sets its time itself.
      const sleeping = { tenantId, actorId, leaseId: null, dueAt: { gt: now } }
      await tx.notificationChannel.updateMany({ where: sleeping, data: { dueAt: now } })
      const channel = channels.find(({ kind }) => kind === 'email')
      if (email !== undefined && email !== channel?.address) {
        if (channel) {
          await removeChannels(tx, tenantId, [channel.channelId])
          await record(tx, bearer, tenantId, 'notification_channel.removed', [channel.channelId])
        }
        if (email !== null) {
          const [channelId, createdWith] = [randomUUID(), await lineageOf(tx, bearer)]
          const data = { tenantId, actorId, channelId, kind: 'email', address: email, createdWith }
          await tx.notificationChannel.create({ data: { ...data, createdAt: now, dueAt: now } })
          await record(tx, bearer, tenantId, 'notification_channel.added', [channelId])
        }
      }
      return read(tx, { tenantId, actorId })
    }),
})
