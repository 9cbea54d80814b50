import { LIMITS, tooManyDevices, unknown } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'

/** A command that asks to be let in. */
export interface DeviceRecord {
  readonly userCode: string
  /** How it calls the machine that it runs on. */
  readonly name: string
  readonly address: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** A sealed session code; empty if refused; null while pending. */
  readonly answer: string | null
}

export type NewDevice = Omit<DeviceRecord, 'answer'> & { readonly deviceHash: Buffer }

export const deviceCodeStore = ({ prisma }: StoreContext) => ({
  /** 429 if too many wait, in all or from this address; the machine itself has none. Those whose time is over go first. */
  create: ({ deviceHash, ...device }: NewDevice): Promise<void> =>
    prisma.$transaction(async (tx) => {
      // One at a time, so that two do not both find room for the last one.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('device codes', 0))`
      await tx.deviceCode.deleteMany({ where: { expiresAt: { lte: device.createdAt } } })
      const { address } = device
      const own = address === null ? 0 : await tx.deviceCode.count({ where: { address } })
      const isFull = own >= LIMITS.devicesOfAddress || (await tx.deviceCode.count()) >= LIMITS.devices
      if (isFull) throw tooManyDevices()
      await tx.deviceCode.create({ data: { ...device, deviceHash: new Uint8Array(deviceHash) } })
    }),

  /** A pending code. */
  find: (userCode: string, now: Date): Promise<DeviceRecord | null> =>
    prisma.deviceCode.findFirst({ where: { userCode, answer: null, expiresAt: { gt: now } } }),

  /** 404 for an unknown code, and for one answered meanwhile. */
  async answer(userCode: string, answer: string, now: Date): Promise<void> {
    const open = { userCode, answer: null, expiresAt: { gt: now } }
    const { count } = await prisma.deviceCode.updateMany({ where: open, data: { answer } })
    if (count === 0) throw unknown('Code')
  },

  /** The question of the command itself. Null if its time is over, or it was let in before. */
  poll: (deviceHash: Buffer, now: Date): Promise<DeviceRecord | null> =>
    prisma.deviceCode.findFirst({ where: { deviceHash: new Uint8Array(deviceHash), expiresAt: { gt: now } } }),

  async forget(deviceHash: Buffer): Promise<void> {
    await prisma.deviceCode.deleteMany({ where: { deviceHash: new Uint8Array(deviceHash) } })
  },
})
