import type { SpacePart } from '@collab-spaces/db'
import {
  checkJson,
  DEFAULT_TENANT,
  diskFull,
  humanOf,
  isJsonObject,
  requireAllowed,
  requireCodeByItsName,
  requireNotStopped,
  requireSpaceOpened,
} from '@collab-spaces/domain'
import type { Claimant, Slot } from '@collab-spaces/fair'
import type { z } from 'zod'
import type { RequestLimits } from '../limits/request-limits.js'
import type { Services } from '../services.js'
import { CALLER_RULES } from './caller.js'
import type { Call, Context } from './context.js'
import { type Caller, payerOf } from './credential.js'
import type { OperationMeta } from './meta.js'
import { Rendered } from './output.js'
import type { Tag } from './tag.js'

/** A procedure as the builder has gathered it. */
export interface Definition {
  readonly meta: OperationMeta
  readonly input?: z.ZodObject
  /** Undefined for a stream of events. */
  readonly output?: z.ZodType
  resolver(options: { ctx: object; input: unknown }): Promise<unknown>
}

/** A caller that waits longer than this for an input or a turn may have lost its credential. In milliseconds. */
export const LATE_MS = 100

/**
 * A request through a procedure, whichever adapter it came by: who calls, what no input may hold, the schema of this
 * one, the work. A stranger is refused before the input is read, and so learns nothing about it.
 */
export async function perform(definition: Definition, call: Call): Promise<unknown> {
  try {
    return await performed(definition, call)
  } catch (error) {
    call.ctx.services.tally.refused(error)
    throw error
  }
}

async function performed(definition: Definition, call: Call): Promise<unknown> {
  const { meta } = definition
  const { ctx, getRawInput } = call
  const caller = await callerOf(meta, call)
  if (caller) charge(ctx.services.limits, definition, caller)
  const claimant = claimantOf(ctx, caller, meta)
  if (caller && ctx.values) await ctx.values.enter(ctx.services.gate, claimant)
  if (isLimitedWrite(meta) && ctx.services.isDiskLow()) throw diskFull()
  const asked = performance.now()
  const rawInput = await getRawInput()
  const { gate } = ctx.services
  const result = await gate.run(costOf(meta, rawInput), claimant, (slot) =>
    performOn(rawInput, asked, definition, call, caller, slot),
  )
  if (!(result instanceof Rendered)) return result
  // The sender of a long list looks before each further piece whether its client is still there. To be told so instead
  // would add a listener for each.
  const reader = { payer: claimant.payer, address: ctx.address }
  const { space_id: spaceId } = Object(rawInput)
  return result.pulledBy((pull) => gate.run('page', reader, pull), typeof spaceId === 'string' ? spaceId : null)
}

const costOf = ({ cost }: OperationMeta, rawInput: unknown) =>
  typeof cost === 'string' ? cost : cost(Object(rawInput))

/** Operations that end something have a queue of their own: a stolen credential cannot keep its owner from ending it. */
function claimantOf({ address, whenGone }: Context, caller: Caller | null, meta: OperationMeta): Claimant {
  const payer = payerOf(caller)
  return { payer: isEnd(meta) ? [...payer.slice(0, 2), `${payer[2]} ends`] : payer, address, whenGone }
}

/** Does the work on an input that was asked for at a time, of a caller who was known by then. */
async function performOn(
  rawInput: unknown,
  asked: number,
  { meta, input: schema, output, resolver }: Definition,
  call: Call,
  known: Caller | null,
  slot: Slot,
): Promise<unknown> {
  // A request that was held open acts with what the credential opens when the body is there: nothing once it has ended,
  // and nothing of a tenant that was left meanwhile.
  const caller = performance.now() - asked > LATE_MS ? await callerOf(meta, call) : known
  checkJson(rawInput)
  // A typed call without an input sends none.
  const sent = rawInput === undefined ? {} : withoutEmptyCursors(rawInput)
  if (schema) requireCodeByItsName(Object(sent), schema.shape)
  const input = schema?.parse(sent)
  if (caller && typeof input?.space_id === 'string') requireSpaceOpened(caller.limits, input.space_id)
  if (output === undefined || input?.wait) call.ctx.onLasting?.()
  const { services, address, isForeignPage } = call.ctx
  const result = await resolver({ ctx: { services, address, isForeignPage, slot, caller }, input })
  if (!onlyLooks(meta) && !WRITES_EVENTS.has(meta.cost)) changed(services, meta, caller, input)
  return result
}

/** Fields that say where to begin. An empty one is absent: what a client stores before the first page is empty. */
const CURSORS = ['since', 'before', 'cursor', 'lastEventId'] as const

function withoutEmptyCursors(input: unknown): unknown {
  if (!isJsonObject(input) || !CURSORS.some((name) => input[name] === '')) return input
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => value !== '' || !CURSORS.includes(name as (typeof CURSORS)[number]),
    ),
  )
}

/** The log says itself that it has grown. */
const WRITES_EVENTS = new Set<OperationMeta['cost']>(['write', 'bulk'])

/**
 * Changes are sealed a moment later: an act about a decision, say, or an entry of the security log. Changes to a space
 * are told to those who keep a view of it.
 */
function changed(
  { sealer, database }: Services,
  { tags }: OperationMeta,
  caller: Caller | null,
  input: Record<string, unknown> | undefined,
): void {
  const tenantId = caller?.tenantId ?? DEFAULT_TENANT
  const spaceId = typeof input?.space_id === 'string' ? input.space_id : undefined
  sealer?.changed(tenantId, spaceId)
  const part = PARTS[tags[0]]
  if (spaceId !== undefined && part) database.bus.publish({ kind: 'changed', tenantId, spaceId, part })
}

/** The part of a space that operations on a noun change. Of decisions and policies, the acts are told. */
const PARTS: Partial<Record<Tag, SpacePart>> = {
  Spaces: 'status',
  Participants: 'status',
  Links: 'links',
  Claims: 'claims',
}

/** The caller, with a credential that allows this procedure, and not stopped, if the procedure does more than look. */
async function callerOf({ caller: rule, scope, scopeOfAgents }: OperationMeta, call: Call): Promise<Caller | null> {
  const caller = await CALLER_RULES[rule](call)
  if (!caller) return null
  requireAllowed(caller, scope, scopeOfAgents)
  requireNotStopped(caller.stopped, scope)
  return caller
}

/** Counts a call against the limits of the human behind its caller. 429 if it is too many. */
function charge({ writes, heavyReads }: RequestLimits, { meta }: Definition, caller: Caller): void {
  if (writes !== null && isLimitedWrite(meta)) writes.take(humanOf(caller))
  if (heavyReads !== null && meta.cost === 'heavy') heavyReads.take(humanOf(caller))
}

/** Some of what looks is sent a body. */
const onlyLooks = ({ scope, openapi: { method } }: OperationMeta) => method === 'GET' || scope === 'read'

/** Whether it stores something. Operations that end something must always work. */
const isLimitedWrite = (meta: OperationMeta) =>
  !onlyLooks(meta) && meta.openapi.method !== 'DELETE' && !meta.alwaysWorks

const isEnd = (meta: OperationMeta) => !onlyLooks(meta) && !isLimitedWrite(meta)
