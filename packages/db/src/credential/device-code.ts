import { LIMITS, tooManyDevices, unknown } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** A device authorization request of the `spaces` command. */
export interface DeviceRecord {
  readonly userCode: string
  /** The name of the machine that runs the command. */
  readonly name: string
  readonly address: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** An encrypted code for a session; empty if denied; null while pending. */
  readonly answer: string | null
}

export type NewDevice = Omit<DeviceRecord, 'answer'> & { readonly deviceHash: Buffer }

export const deviceCodeStore = ({ prisma }: StoreContext) => ({
  /** Removes expired codes first. 429 beyond the limits of pending codes in total and by address (null for loopback). */
  create: ({ deviceHash, ...device }: NewDevice): Promise<void> =>
    prisma.$transaction(async (tx) => {
      // Serialized, so that concurrent requests cannot exceed the limit.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('device codes', 0))`
      await tx.deviceCode.deleteMany({ where: { expiresAt: { lte: device.createdAt } } })
      const { address } = device
      const own = address === null ? 0 : await tx.deviceCode.count({ where: { address } })
      const isFull = own >= LIMITS.devicesOfAddress || (await tx.deviceCode.count()) >= LIMITS.devices
      if (isFull) throw tooManyDevices()
      await tx.deviceCode.create({ data: { ...device, deviceHash: new Uint8Array(deviceHash) } })
    }),

  /** Finds a pending code. */
  find: (userCode: string, now: Date): Promise<DeviceRecord | null> =>
    prisma.deviceCode.findFirst({ where: { userCode, answer: null, expiresAt: { gt: now } } }),

  /** 404 for an unknown, expired or answered code. */
  async answer(userCode: string, answer: string, now: Date): Promise<void> {
    const pending = { userCode, answer: null, expiresAt: { gt: now } }
    const { count } = await prisma.deviceCode.updateMany({ where: pending, data: { answer } })
    if (count === 0) throw unknown('Code')
  },

  /** Polled by the command. Null if the code has expired or was redeemed. */
  poll: (deviceHash: Buffer, now: Date): Promise<DeviceRecord | null> =>
    prisma.deviceCode.findFirst({ where: { deviceHash: new Uint8Array(deviceHash), expiresAt: { gt: now } } }),

  async forget(deviceHash: Buffer): Promise<void> {
    await prisma.deviceCode.deleteMany({ where: { deviceHash: new Uint8Array(deviceHash) } })
  },
})
