import { DomainError } from '@collab-spaces/domain'
import {
  getTRPCErrorFromUnknown,
  initTRPC,
  type ProcedureType,
  type TRPC_ERROR_CODE_KEY,
  type TRPC_ERROR_CODE_NUMBER,
  type TRPCError,
} from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { z } from 'zod'
import type { ProcedureBuilder } from './builder.js'
import type { Call } from './context.js'
import { asTrpcError, refusalOf, statusOf } from './fault.js'
import { type Meta, operationMeta } from './meta.js'
import { Rendered } from './output.js'
import { type Definition, perform } from './perform.js'
import { ValueBudget, type ValueRequest } from './value-budget.js'

/**
 * tRPC's builder describes procedures and its client infers their types; their calls are ours (`perform`), since tRPC's
 * own chain of middlewares, with a copy of the call for each, takes several times as long as the checks themselves.
 */

/** An error as tRPC clients get it. */
export interface ErrorShape {
  code: TRPC_ERROR_CODE_NUMBER
  message: string
  data: {
    code: TRPC_ERROR_CODE_KEY
    httpStatus: number
    path?: string
    detail: string
  }
}

/** Contexts and metas are plain objects in the types, so that clients learn nothing of what procedures work with. */
const t = initTRPC
  .context<object>()
  .meta<Record<string, unknown>>()
  .create({ errorFormatter: ({ error, path }) => shapeOf(error, path) })

/** An error in the form in which tRPC's clients expect it. */
export const errorShape = (error: unknown, path?: string): ErrorShape => {
  const refused = refusalOf(error)
  return shapeOf(refused ? asTrpcError(refused) : getTRPCErrorFromUnknown(error), path)
}

function shapeOf(error: TRPCError, path: string | undefined): ErrorShape {
  const { code } = error
  const refused = refusalOf(error)
  // A refusal of tRPC itself, such as an unknown procedure, is told; a fault of ours is not.
  const isFault = !refused && code === 'INTERNAL_SERVER_ERROR'
  const detail = refused?.detail ?? (isFault ? 'Internal server error' : error.message)
  const httpStatus = refused ? statusOf(refused) : getHTTPStatusCodeFromError(error)
  return {
    code: TRPC_ERROR_CODES_BY_KEY[code],
    message: detail,
    data: { code, httpStatus, ...(path !== undefined && { path }), ...refused?.fields, detail },
  }
}

const records = new WeakMap<object, object>()
const definitions = new WeakMap<object, Definition>()

export const router: typeof t.router = (record) => {
  const made = t.router(record)
  records.set(made, record)
  return made
}

/** How every procedure begins: `procedure.meta(…).input(…).output(…).query(…)`. */
export const procedure = { meta: (meta: Meta) => builderOf({ meta }) } as unknown as ProcedureBuilder

/** tRPC's builder, whose types know no input that was added before. */
interface Untyped extends Record<ProcedureType, (resolver: Definition['resolver']) => object> {
  input(schema: z.ZodType): Untyped
  output(schema: z.ZodType): Untyped
}

interface Described extends Pick<Definition, 'input' | 'output'> {
  readonly meta: Meta
}

function builderOf(described: Described) {
  const { input, output } = described
  const complete = (type: ProcedureType) => (resolver: Definition['resolver']) => {
    const meta = operationMeta(described.meta, output === undefined)
    const definition: Definition = { ...described, meta, resolver }
    const ours = t.procedure.experimental_caller(({ args: [call] }) => enveloped(definition, call as Call))
    let builder = ours.meta({ ...meta }) as unknown as Untyped
    if (input) builder = builder.input(input)
    if (output) builder = builder.output(output)
    const made = builder[type](resolver)
    definitions.set(made, definition)
    return made
  }
  return {
    input: (schema: z.ZodObject) => builderOf({ ...described, input: schema }),
    output: (schema: z.ZodType) => builderOf({ ...described, output: schema }),
    query: complete('query'),
    mutation: complete('mutation'),
    subscription: complete('subscription'),
  }
}

/** The procedures of a router by their paths, such as `space.create`, in its order. Throws for one made elsewhere. */
export function definitionsOf(router: object, path = ''): [path: string, Definition][] {
  return Object.entries(records.get(router) ?? {}).flatMap(([name, value]): [string, Definition][] => {
    const definition = definitions.get(value)
    if (definition) return [[path + name, definition]]
    if (!records.has(value)) throw new Error(`${path}${name} was not made by our builder`)
    return definitionsOf(value, `${path}${name}.`)
  })
}

/**
 * A tRPC answer is one value in memory, however many calls it answers; anything larger is read over REST, which writes
 * page by page. In characters of JSON.
 */
const LARGEST_ANSWER = 4 * 1024 * 1024

/** How much JSON there may be in memory for an answer that is values. */
export const valueBudget = (request: ValueRequest) => new ValueBudget(request.size ?? LARGEST_ANSWER, request)

/** Adapters that are not ours answer in values, too, whose size is limited; only they do not take turns. */
const OF_OTHER_ADAPTERS: ValueRequest = { whenAnswered: () => {} }

/** The results that tRPC's envelope takes: refusals with its codes, and values instead of rendered answers. */
async function enveloped(definition: Definition, call: Call): Promise<unknown> {
  try {
    const value = await perform(definition, call)
    if (!(value instanceof Rendered)) return value
    const parsed: unknown = await value.parse(call.ctx.values ?? valueBudget(OF_OTHER_ADAPTERS))
    if (parsed === null) throw answerTooLarge(definition.meta)
    return parsed
  } catch (error) {
    const refused = refusalOf(error)
    throw refused ? asTrpcError(refused) : error
  }
}

function answerTooLarge({ route }: Meta): DomainError {
  return new DomainError('too_large', `The answer is too large for a typed call; read it over REST: ${route}`)
}
