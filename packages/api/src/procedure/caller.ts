import {
  type DomainError,
  isJsonObject,
  requireActiveTenant,
  requireAdmin,
  requireCanReadAudit,
  requireHuman,
  tokenExpired,
  unauthenticated,
} from '@collab-spaces/domain'
import type { Call, Context } from './context.js'
import { authenticate, type Caller, payerOf } from './credential.js'
import { isStreamTicket } from './stream-ticket.js'
import type { ValueBudget } from './value-budget.js'

/** By a credential, or by a ticket that was made with one. */
async function actorOrTicket({ ctx }: Call): Promise<Caller> {
  const look = () => authenticate(ctx)
  const caller = ctx.known ?? (await (ctx.values?.sameCaller(look) ?? look()))
  if (!caller) throw refusal(ctx, unauthenticated())
  if (caller.isExpired) throw refusal(ctx, tokenExpired())
  ctx.onCaller?.(caller)
  requireActiveTenant(caller)
  return caller
}

async function actor(call: Call): Promise<Caller> {
  if (isStreamTicket(call.ctx.token)) throw unauthenticated()
  return actorOrTicket(call)
}

/**
 * Failures are counted by address, so nobody with a valid credential is ever refused for their neighbours.
 * 429 if too much has.
 */
function refusal({ token, address, services: { limits } }: Context, error: DomainError): DomainError {
  if (token === undefined || limits.failedCredentials === null) return error
  const from = address()
  if (from !== null) limits.failedCredentials.take(from)
  return error
}

/** A rule that asks for more than another one. */
const andAlso =
  (rule: (call: Call) => Promise<Caller>, requireMore: (caller: Caller) => void) =>
  async (call: Call): Promise<Caller> => {
    const caller = await rule(call)
    requireMore(caller)
    return caller
  }

const human = andAlso(actor, requireHuman)
const admin = andAlso(human, requireAdmin)
const auditor = andAlso(human, requireCanReadAudit)

/** Registering a human needs no credential and ignores one that is sent. A sponsor registers an agent. */
async function registrant(call: Call): Promise<Caller | null> {
  const input = await call.getRawInput()
  const isAgent = isJsonObject(input) && input.actor_type === 'agent'
  return isAgent ? human(call) : null
}

/** The redeemer of a code has no credential yet, and any that is sent is ignored. */
async function anybody(): Promise<null> {
  return null
}

/**
 * The rules of who may call a procedure. Each returns the caller or throws: 401 without a valid credential, then 421 or
 * 503 for a tenant that has moved or is moving, 403 for a suspended one or the wrong kind of caller.
 */
export const CALLER_RULES = { actor, actorOrTicket, human, admin, auditor, registrant, anybody }

/** The caller of something that is no procedure: 401 without a valid credential, then 403 for a suspended tenant. */
export const requireCaller = (ctx: Context): Promise<Caller> => actor({ ctx, getRawInput: async () => ({}) })

/**
 * Waits for the slot of a request of many calls, before any of them is made: a hundred calls that wait take a megabyte,
 * and beginning those of many requests at once keeps everybody else waiting. A caller without a valid credential is
 * refused once for all of them, unless one is for strangers (`isOpen`).
 */
export async function enterTogether(ctx: Context, values: ValueBudget, isOpen: boolean): Promise<void> {
  const caller = isOpen ? await authenticate(ctx) : await requireCaller(ctx)
  await values.enter(ctx.services.gate, { payer: payerOf(caller), whenGone: ctx.whenGone })
}

export type CallerRule = keyof typeof CALLER_RULES

/** The caller as a procedure with this rule knows it. */
export type CallerOf<Rule extends CallerRule> = Awaited<ReturnType<(typeof CALLER_RULES)[Rule]>>
