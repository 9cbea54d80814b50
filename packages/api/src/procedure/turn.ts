import type { Asker } from '@collab-spaces/db'
import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import type { Context } from './context.js'
import type { Caller } from './credential.js'

type Request = Pick<Context, 'services' | 'address' | 'whenGone'>

/** What ends something waits apart from all else. */
export type TurnKind = 'read' | 'change' | 'end'

/** Reads or changes rows when it is the turn of whoever asks. Rejects when that takes too long, or when they leave before. */
export function inTurn<T>(
  request: Request,
  caller: Caller | null,
  work: () => Promise<T>,
  kind: TurnKind = 'change',
): Promise<T> {
  const { reads, changes } = request.services.database
  return (kind === 'read' ? reads : changes).run(askerOf(request, caller, kind), work)
}

/** A request of somebody known. */
export interface KnownRequest extends Request {
  readonly caller: Caller
}

/** Reads rows for a request that waits for all else in another line. */
export const readInTurn = <T>(request: KnownRequest, work: () => Promise<T>): Promise<T> =>
  inTurn(request, request.caller, work, 'read')

/**
 * Who takes turns: each credential, so that nobody waits for what is sent with a stolen one. Those whom nobody knows yet take
 * turns with whoever works in the scope that they come into.
 */
function askerOf({ address, whenGone }: Request, caller: Caller | null, kind: TurnKind): Asker {
  if (!caller) return { scope: DEFAULT_SCOPE, actorId: '', address, whenGone }
  return { scope: caller.scope, actorId: `${caller.actorId}/${caller.credentialId} ${kind}`, address, whenGone }
}
