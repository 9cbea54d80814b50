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
import type { Slot, SlotRequest } from '@collab-spaces/fair'
import type { z } from 'zod'
import type { RequestLimits } from '../limits/request-limits.js'
import type { Services } from '../services.js'
import { CALLER_RULES } from './caller.js'
import type { Call, Context } from './context.js'
import { type Caller, fairKeyOf } from './credential.js'
import type { OperationMeta } from './meta.js'
import { RenderedOutput } from './output.js'
import type { Tag } from './tag.js'

/** A procedure as the builder describes it. */
export interface Definition {
  readonly meta: OperationMeta
  readonly input?: z.ZodObject
  /** Undefined for a stream of events. */
  readonly output?: z.ZodType
  resolver(options: { ctx: object; input: unknown }): Promise<unknown>
}

/** A caller that waits longer than this for its body or a slot is authenticated again. In milliseconds. */
export const LATE_MS = 100

/**
 * Performs a call from any adapter: authenticates the caller, checks the input, runs the resolver. An unauthenticated
 * caller is refused before the input is read, and so learns nothing about it.
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
  const slotRequest = slotRequestOf(ctx, caller, meta)
  if (caller && ctx.values) await ctx.values.enter(ctx.services.gate, slotRequest)
  if (isLimitedWrite(meta) && ctx.services.isDiskLow()) throw diskFull()
  const queuedAt = performance.now()
  const rawInput = await getRawInput()
  const { gate } = ctx.services
  const result = await gate.run(costOf(meta, rawInput), slotRequest, (slot) =>
    performOn(rawInput, queuedAt, definition, call, caller, slot),
  )
  if (!(result instanceof RenderedOutput)) return result
  // The sender of a long list checks before each piece whether its client is still connected, which saves a listener.
  const reader = { fairKey: slotRequest.fairKey, address: ctx.address }
  const { space_id: spaceId } = Object(rawInput)
  return result.pulledBy((pull) => gate.run('page', reader, pull), typeof spaceId === 'string' ? spaceId : null)
}

const costOf = ({ cost }: OperationMeta, rawInput: unknown) =>
  typeof cost === 'string' ? cost : cost(Object(rawInput))

/** Operations that end something have a dedicated queue, so that a stolen credential cannot block its own revocation. */
function slotRequestOf({ address, whenGone }: Context, caller: Caller | null, meta: OperationMeta): SlotRequest {
  const fairKey = fairKeyOf(caller)
  return { fairKey: isEnd(meta) ? [...fairKey.slice(0, 2), `${fairKey[2]} ends`] : fairKey, address, whenGone }
}

/** Runs the resolver on an input requested at a given time for a caller authenticated then. */
async function performOn(
  rawInput: unknown,
  asked: number,
  { meta, input: schema, output, resolver }: Definition,
  call: Call,
  known: Caller | null,
  slot: Slot,
): Promise<unknown> {
  // A delayed request acts with the rights its credential has once the body has arrived: none if it has ended, and none
  // in a tenant that its actor has left.
  const caller = performance.now() - asked > LATE_MS ? await callerOf(meta, call) : known
  checkJson(rawInput)
  // A typed call without an input sends none.
  const sent = rawInput === undefined ? {} : withoutEmptyCursors(rawInput)
  if (schema) requireCodeByItsName(Object(sent), schema.shape)
  const input = schema?.parse(sent)
  if (caller && typeof input?.space_id === 'string') requireSpaceOpened(caller.limits, input.space_id)
  if (output === undefined || input?.wait) call.ctx.onLasting?.()
  const { services, address, isForeignPage, isHead, upload } = call.ctx
  const result = await resolver({ ctx: { services, address, isForeignPage, isHead, upload, slot, caller }, input })
  if (!isRead(meta) && !WRITES_EVENTS.has(meta.cost)) changed(services, meta, caller, input)
  return result
}

/** Cursor fields. An empty one counts as absent, as a client has no cursor before its first page. */
const CURSORS = ['since', 'before', 'cursor', 'lastEventId'] as const

function withoutEmptyCursors(input: unknown): unknown {
  if (!isJsonObject(input) || !CURSORS.some((name) => input[name] === '')) return input
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => value !== '' || !CURSORS.includes(name as (typeof CURSORS)[number]),
    ),
  )
}

/** Operations whose events the log announces itself. */
const WRITES_EVENTS = new Set<OperationMeta['cost']>(['write', 'bulk'])

/**
 * Announces a change: to the sealer, for acts and entries of the security log, and to streams, for changes of a space.
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

/** The part of a space that operations of a tag change. Decisions and policies announce their acts instead. */
const PARTS: Partial<Record<Tag, SpacePart>> = {
  Spaces: 'status',
  Participants: 'status',
  Links: 'links',
  Claims: 'claims',
}

/** Returns the caller if its credential allows the procedure, and it is not a stopped agent that would write. */
async function callerOf({ caller: rule, scope, scopeOfAgents }: OperationMeta, call: Call): Promise<Caller | null> {
  const caller = await CALLER_RULES[rule](call)
  if (!caller) return null
  requireAllowed(caller, scope, scopeOfAgents)
  requireNotStopped(caller.stopped, scope)
  return caller
}

/** Counts a call against the rate limits of the human behind its caller. 429 beyond them. */
function charge({ writes, heavyReads }: RequestLimits, { meta }: Definition, caller: Caller): void {
  if (writes !== null && isLimitedWrite(meta)) writes.take(humanOf(caller))
  if (heavyReads !== null && meta.cost === 'heavy') heavyReads.take(humanOf(caller))
}

/** Whether it only reads. Some reads take a body. */
const isRead = ({ scope, openapi: { method } }: OperationMeta) => method === 'GET' || scope === 'read'

/** Whether limits apply to it as a write. Operations that end something must always work. */
const isLimitedWrite = (meta: OperationMeta) => !isRead(meta) && meta.openapi.method !== 'DELETE' && !meta.alwaysWorks

const isEnd = (meta: OperationMeta) => !isRead(meta) && !isLimitedWrite(meta)
