import { createHash } from 'node:crypto'
import type { Credentials, Principal } from '@collab-spaces/db'
import { isApiKey } from '@collab-spaces/domain'

/** The authenticated actor of a request, and the hash of what it showed. */
export interface Caller extends Principal {
  readonly credentialHash: Buffer
}

/** Only this is ever stored of a credential. */
export const hashOf = (credential: string): Buffer => createHash('sha256').update(credential).digest()

/** The actor that a credential stands for at this moment, or null. */
export async function authenticate(credentials: Credentials, token: string | undefined): Promise<Caller | null> {
  if (token === undefined || !isApiKey(token)) return null
  const credentialHash = hashOf(token)
  const principal = await credentials.lookUp(credentialHash)
  return principal && { ...principal, credentialHash }
}
