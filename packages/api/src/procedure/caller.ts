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
import { authenticate, type Caller, fairKeyOf } from './credential.js'
import { isStreamTicket } from './stream-ticket.js'
import type { ValueBudget } from './value-budget.js'

/** Authenticates by a credential, or by a ticket of any kind. */
async function actorOrAnyTicket({ ctx }: Call): Promise<Caller> {
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
  return actorOrAnyTicket(call)
}

/** Returns the file of the ticket of a call; null for a credential, or a ticket of a stream. */
const fileOfTicket = ({ token, services: { streamTickets } }: Context): string | null =>
  (isStreamTicket(token) && streamTickets?.read(token as string)?.fileId) || null

/** A credential, or a ticket of a stream. */
async function actorOrTicket(call: Call): Promise<Caller> {
  if (fileOfTicket(call.ctx) !== null) throw unauthenticated()
  return actorOrAnyTicket(call)
}

/** A credential, or a ticket of the requested file. */
async function actorOrFileTicket(call: Call): Promise<Caller> {
  if (isStreamTicket(call.ctx.token)) {
    const input = await call.getRawInput()
    if (!isJsonObject(input) || fileOfTicket(call.ctx) !== input.file_id) throw unauthenticated()
  }
  return actorOrAnyTicket(call)
}

/**
 * Counts a failure by address. 429 beyond the limit. A valid credential is never refused for other callers of its address.
 */
function refusal({ token, address, services: { limits } }: Context, error: DomainError): DomainError {
  if (token === undefined || limits.failedCredentials === null) return error
  const from = address()
  if (from !== null) limits.failedCredentials.take(from)
  return error
}

/** Adds a requirement to a rule. */
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

/** Registering a human needs no credential and ignores one; an agent is registered by its sponsor. */
async function registrant(call: Call): Promise<Caller | null> {
  const input = await call.getRawInput()
  const isAgent = isJsonObject(input) && input.actor_type === 'agent'
  return isAgent ? human(call) : null
}

/** A caller without a credential, such as the redeemer of a code; one that is sent is ignored. */
async function none(): Promise<null> {
  return null
}

/**
 * Who may call a procedure. Each rule returns the caller or throws: 401 without a valid credential, then 421 or 503 for a
 * tenant that has moved or is moving, 403 for a suspended one or the wrong kind of caller.
 */
export const CALLER_RULES = { actor, actorOrTicket, actorOrFileTicket, human, admin, auditor, registrant, none }

/** Returns the caller of a route that is not a procedure: 401 without a valid credential, 403 for a suspended tenant. */
export const requireCaller = (ctx: Context): Promise<Caller> => actor({ ctx, getRawInput: async () => ({}) })

/**
 * Waits for the slot of a request with many calls before any of them starts: a hundred waiting calls take a megabyte, and
 * starting those of many requests at once delays all other requests. Without a valid credential, all calls are refused
 * together, unless one of them needs none (`isOpen`).
 */
export async function enterTogether(ctx: Context, values: ValueBudget, isOpen: boolean): Promise<void> {
  const caller = isOpen ? await authenticate(ctx) : await requireCaller(ctx)
  await values.enter(ctx.services.gate, { fairKey: fairKeyOf(caller), whenGone: ctx.whenGone })
}

export type CallerRule = keyof typeof CALLER_RULES

/** The type of the caller under a rule. */
export type CallerOf<Rule extends CallerRule> = Awaited<ReturnType<(typeof CALLER_RULES)[Rule]>>
