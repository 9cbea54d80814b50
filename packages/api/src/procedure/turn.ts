import type { Payer } from '@collab-spaces/db'
import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import { subjectOf } from '../limits/request-limits.js'
import type { Context } from './context.js'
import type { Caller } from './credential.js'

/** A request whose caller is known, if anybody is. */
interface Known extends Pick<Context, 'services' | 'address' | 'whenGone'> {
  readonly caller: Caller | null
}

/** What ends something waits apart from all else. */
export type TurnKind = 'read' | 'change' | 'end'

/** Reads or changes rows when it is the turn of whoever asks. Rejects when that takes too long, or when they leave before. */
export function inTurn<T>(
  { services, caller, address, whenGone }: Known,
  work: () => Promise<T>,
  kind: TurnKind = 'change',
): Promise<T> {
  const { reads, changes } = services.database
  return (kind === 'read' ? reads : changes).run({ ...payerOf(caller, kind), address, whenGone }, work)
}

/**
 * Who takes turns: each credential, so that nobody waits for what is sent with a stolen one. Those whom nobody knows yet take
 * turns with whoever works in the scope that they come into.
 */
function payerOf(caller: Caller | null, kind: TurnKind): Payer {
  if (!caller) return { scope: DEFAULT_SCOPE, actorId: '' }
  return { scope: caller.scope, actorId: `${subjectOf(caller)} ${kind}` }
}
