import { requireCanRevoke } from '@collab-spaces/domain'
import type { z } from 'zod'
import { presentEnded } from './presenters/credential.js'
import type { Caller } from './procedure/credential.js'
import type { Revoked } from './schemas/credential.js'
import type { Services } from './services.js'
import { tellHuman } from './tell-human.js'

/** Revokes a credential of an actor, with what was made with it, and tells whoever is concerned. 404 if there is none. */
export async function revokeCredential(
  services: Services,
  caller: Caller,
  actorId: string,
  credentialId: string,
): Promise<z.infer<typeof Revoked>> {
  const { actorCredentials } = services.database
  const { actor, ended } = await actorCredentials.revoke(caller, actorId, credentialId, new Date(), (actor) =>
    requireCanRevoke(caller, actor),
  )
  services.revocations.announce()
  tellHuman(services, actor)
  return { ok: true, ended: presentEnded(ended) }
}
