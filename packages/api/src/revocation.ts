import { API_KEY_ID, requireCanRevoke, unknown } from '@collab-spaces/domain'
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
  const revoked = await services.database.actorCredentials.revoke(caller, actorId, credentialId, new Date(), (actor) =>
    requireCanRevoke(caller, actor),
  )
  if (!revoked) throw unknown('Actor')
  const { actor, ended } = revoked
  if (!ended) throw unknown(credentialId === API_KEY_ID ? 'Credential' : 'Token')
  services.revocations.announce()
  tellHuman(services, actor)
  return { ok: true, ended: presentEnded(ended) }
}
