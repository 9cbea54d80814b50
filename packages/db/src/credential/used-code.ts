import { signInFailed } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** A single-use code. */
export interface OneTimeCode {
  /** Its SHA-256. */
  readonly hash: Buffer
  readonly expiresAt: Date
}

/** Marks a code as used; throws if it was used, also by a concurrent transaction. Call it after all other checks. */
export async function useUp(tx: Transaction, { hash, expiresAt }: OneTimeCode): Promise<void> {
  const used = await tx.$executeRaw`
    INSERT INTO used_codes (code_hash, expires_at) VALUES (${new Uint8Array(hash)}, ${expiresAt}) ON CONFLICT DO NOTHING`
  if (used === 0) throw signInFailed()
  await tx.$executeRaw`
    DELETE FROM used_codes WHERE code_hash IN (
      SELECT code_hash FROM used_codes WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED)`
}
