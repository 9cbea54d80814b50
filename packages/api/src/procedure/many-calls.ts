import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import type { Context } from './context.js'
import { authenticate } from './credential.js'

/** Whoever nobody knows takes turns, too: it is only found out when the calls are made that none of them is allowed. */
const STRANGER = { scope: DEFAULT_SCOPE, actorId: '' }

/**
 * Waits for the turn of a request of many calls, before any of them is made: a hundred calls that wait take a megabyte, and
 * beginning those of many requests at once keeps everybody else waiting. Rejects when it takes too long, or when the
 * client leaves before. Requests of few calls wait for nothing here.
 */
export async function turnOfMany(ctx: Context): Promise<void> {
  const { services, values, whenGone } = ctx
  if (!values?.isOfMany) return
  const caller = await values.sameCaller(() => authenticate(services.database.credentials, ctx))
  await values.enter(services.valueTurns, { ...(caller ?? STRANGER), whenGone })
}
