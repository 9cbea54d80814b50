import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import { requireCaller } from './caller.js'
import type { Context } from './context.js'
import { authenticate } from './credential.js'
import type { ValueBudget } from './value-budget.js'

/** Those whom nobody knows take turns, too. */
const STRANGER = { scope: DEFAULT_SCOPE, actorId: '' }

/**
 * Waits for the turn of a request of many calls, before any of them is made: a hundred calls that wait take a megabyte, and
 * beginning those of many requests at once keeps everybody else waiting. Whoever has no valid credential is refused once for
 * all of them, unless one is for strangers (`isOpen`). Rejects when it takes too long, too, or when the client leaves before.
 */
export async function turnOfMany(ctx: Context, values: ValueBudget, isOpen: boolean): Promise<void> {
  const { services, whenGone } = ctx
  const caller = isOpen ? await authenticate(ctx) : await requireCaller(ctx)
  await values.enter(services.valueTurns, { ...(caller ?? STRANGER), whenGone })
}
