import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** Wakes the human behind an actor, who may have a notice. */
export function tellHuman(
  { waits }: Services,
  { scope, actorId, sponsorId }: Pick<Caller, 'scope' | 'actorId' | 'sponsorId'>,
): void {
  waits.inboxGrew({ scope, actorId: sponsorId ?? actorId })
}
