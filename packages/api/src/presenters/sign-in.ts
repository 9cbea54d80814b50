import type { DeviceRecord, SignedIn as SignedInRecord } from '@collab-spaces/db'
import { shownUserCode } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Device, SignedIn } from '../schemas/sign-in.js'
import { presentSelf } from './actor.js'

export const presentSignedIn = (
  { actor, patId, expiresAt }: SignedInRecord,
  token: string,
  logoutUrl: string | null = null,
): z.infer<typeof SignedIn> => ({
  actor: presentSelf(actor),
  token,
  credential_id: patId,
  expires_at: expiresAt.toISOString(),
  logout_url: logoutUrl,
})

export const presentDevice = (device: DeviceRecord): z.infer<typeof Device> => ({
  user_code: shownUserCode(device.userCode),
  name: device.name,
  address: device.address,
  created_at: device.createdAt.toISOString(),
  expires_at: device.expiresAt.toISOString(),
})
