import { signInFailed } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** Something that works once. */
export interface OneTimeCode {
  /** Its SHA-256. */
  readonly hash: Buffer
  readonly expiresAt: Date
}

/** Throws if a code was used before, or in another transaction at the same time. To be called when all else is right. */
export async function useUp(tx: Transaction, { hash, expiresAt }: OneTimeCode): Promise<void> {
  const used = await tx.$executeRaw`
    INSERT INTO used_codes (code_hash, expires_at) VALUES (${new Uint8Array(hash)}, ${expiresAt}) ON CONFLICT DO NOTHING`
  if (used === 0) throw signInFailed()
  await tx.$executeRaw`
    DELETE FROM used_codes WHERE code_hash IN (
      SELECT code_hash FROM used_codes WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED)`
}
