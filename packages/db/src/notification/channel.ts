import { randomUUID } from 'node:crypto'
import {
  type AuditDetails,
  type Initiator,
  LIMITS,
  type PushKeys,
  type TenantId,
  tooManyBrowsers,
  unknown,
} from '@collab-spaces/domain'
import { requireHere } from '../access/in-service.js'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { record } from '../audit/audit.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import type { LeasedChannel } from './lease.js'
import { type ChannelRecord, read } from './record.js'

/** The push subscription of a browser. */
export interface PushSubscription {
  readonly endpoint: string
  readonly keys: PushKeys
  readonly name: string
}

/** Browser channels, and the links in messages. */
export const channelStore = ({ prisma }: StoreContext) => ({
  /**
   * Adds the channel of a browser, or updates the existing one. Throws if the credential has ended, and 409 beyond the
   * limit of channels.
   */
  subscribe: (bearer: Bearer, { endpoint, keys, name }: PushSubscription, now: Date): Promise<ChannelRecord> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { tenantId, actorId })
      const browsers = channels.filter(({ kind }) => kind === 'push')
      const known = browsers.find(({ address }) => address === endpoint)
      if (!known && browsers.length >= LIMITS.pushSubscriptions) throw tooManyBrowsers()
      const fields = { name, pushKeys: { ...keys }, createdWith: await lineageOf(tx, bearer) }
      if (known) {
        const where = { tenantId_channelId: { tenantId, channelId: known.channelId } }
        await tx.notificationChannel.update({ where, data: fields })
        return { ...known, name }
      }
      const made = { channelId: randomUUID(), kind: 'push' as const, address: endpoint, verifiedAt: now }
      await tx.notificationChannel.create({
        data: { tenantId, actorId, ...made, ...fields, createdAt: now, dueAt: now },
      })
      await record(tx, bearer, tenantId, 'notification_channel.added', [made.channelId])
      return { ...made, name }
    }),

  /** Removes a channel; 404 if it is not the caller's. Throws if the credential has ended. */
  end: (bearer: Bearer, channelId: string): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const { tenantId, actorId } = await lockBearer(tx, bearer)
      const { channels } = await read(tx, { tenantId, actorId })
      if (!channels.some((channel) => channel.channelId === channelId)) throw unknown('Channel')
      await removeChannels(tx, tenantId, [channelId])
      await record(tx, bearer, tenantId, 'notification_channel.removed', [channelId])
    }),

  /**
   * Verifies a channel's address by the token in its message. Returns whether the channel exists. Throws if its tenant has
   * moved away.
   */
  verify: (tenantId: TenantId, channelId: string, address: Initiator['address'], now: Date): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await requireHere(tx, tenantId)
      const confirmed = await tx.notificationChannel.updateManyAndReturn({
        where: { tenantId, channelId, verifiedAt: null },
        data: { verifiedAt: now },
        select: { actorId: true },
      })
      for (const { actorId } of confirmed) {
        await record(tx, holder(actorId, address), tenantId, 'notification_channel.verified', [channelId], BY_LINK)
      }
      return confirmed.length > 0 || (await tx.notificationChannel.count({ where: { tenantId, channelId } })) > 0
    }),

  /** Unsubscribes a channel by the token in a message, if the channel exists. Throws if its tenant has moved away. */
  unsubscribe: (tenantId: TenantId, channelId: string, address: Initiator['address']): Promise<void> =>
    prisma.$transaction(async (tx) => {
      await requireHere(tx, tenantId)
      await removeFor(tx, tenantId, channelId, address, BY_LINK)
    }),

  /** Removes a channel whose push subscription has expired. */
  remove: ({ tenantId, channelId }: LeasedChannel): Promise<void> =>
    prisma.$transaction((tx) => removeFor(tx, tenantId, channelId, () => null, { by: 'push_service' })),
})

/** Removes channels. Returns the ids of the removed ones. */
export const removeChannels = async (
  tx: Transaction,
  tenantId: TenantId,
  channelIds: readonly string[],
): Promise<string[]> => {
  const removed = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM notification_channels WHERE tenant_id = ${tenantId}::uuid AND channel_id = ANY (${[...channelIds]}::uuid[])
    RETURNING channel_id AS id`
  return removed.map(({ id }) => id)
}

const BY_LINK: AuditDetails = { by: 'link' }

/** The owner of a channel, for changes by a link or a push service, which have no credential. */
const holder = (actorId: string, address: Initiator['address']): Initiator => ({ actorId, credentialId: null, address })

async function removeFor(
  tx: Transaction,
  tenantId: TenantId,
  channelId: string,
  address: Initiator['address'],
  details: AuditDetails,
): Promise<void> {
  const channel = await tx.notificationChannel.findFirst({ where: { tenantId, channelId }, select: { actorId: true } })
  const removed = channel ? await removeChannels(tx, tenantId, [channelId]) : []
  if (!channel || removed.length === 0) return
  await record(tx, holder(channel.actorId, address), tenantId, 'notification_channel.removed', removed, details)
}

/** Removes the channels of actors that are deleted or leave a tenant. */
export async function endChannelsOf(tx: Transaction, tenantId: TenantId, actorIds: readonly string[]): Promise<void> {
  const where = { tenantId, actorId: { in: [...actorIds] } }
  await tx.notificationChannel.deleteMany({ where })
  await tx.notificationSettings.deleteMany({ where })
}
