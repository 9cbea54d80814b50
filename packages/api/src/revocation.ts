import { databaseClock } from '@collab-spaces/db'
import { requireCanRevoke } from '@collab-spaces/domain'
import type { z } from 'zod'
import { withEnded } from './presenters/credential.js'
import type { Caller } from './procedure/credential.js'
import type { Revoked } from './schemas/credential.js'
import type { Services } from './services.js'

/** Revokes a credential of an actor, with what was made with it, and ends its streams. 404 for an unknown one. */
export async function revokeCredential(
  services: Services,
  caller: Caller,
  actorId: string,
  credentialId: string,
): Promise<z.infer<typeof Revoked>> {
  const { actorCredentials } = services.database
  const { ended } = await actorCredentials.revoke(caller, actorId, credentialId, databaseClock.now(), (actor) =>
    requireCanRevoke(caller, actor),
  )
  services.revocations.announce()
  return withEnded({ ok: true as const }, ended)
}
