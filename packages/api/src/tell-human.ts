import { humanOf } from '@collab-spaces/domain'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'

/** Wakes the human behind an actor, who may have a notice. */
export function tellHuman({ waits }: Services, actor: Pick<Caller, 'scope' | 'actorId' | 'sponsorId'>): void {
  waits.inboxGrew({ scope: actor.scope, actorId: humanOf(actor) })
}
