import { DomainError, onlyOverRest } from '@collab-spaces/domain'
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
import { Download } from './download.js'
import { asTrpcError, refusalOf, statusOf } from './fault.js'
import { type Meta, operationMeta } from './meta.js'
import { RenderedOutput } from './output.js'
import { type Definition, perform } from './perform.js'
import { ValueBudget, type ValueRequest } from './value-budget.js'

/**
 * tRPC's builder describes procedures and its client infers their types; `perform` makes the calls, as tRPC's chain of
 * middlewares, with a copy of the call for each, takes several times as long as the checks themselves.
 */

/** An error as tRPC clients receive it. */
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

/** Contexts and metas are plain objects in the types, so that clients do not depend on the services. */
const t = initTRPC
  .context<object>()
  .meta<Record<string, unknown>>()
  .create({ errorFormatter: ({ error, path }) => shapeOf(error, path) })

/** Converts an error to the form that tRPC clients expect. */
export const errorShape = (error: unknown, path?: string): ErrorShape => {
  const refused = refusalOf(error)
  return shapeOf(refused ? asTrpcError(refused) : getTRPCErrorFromUnknown(error), path)
}

function shapeOf(error: TRPCError, path: string | undefined): ErrorShape {
  const { code } = error
  const refused = refusalOf(error)
  // Shows a refusal of tRPC itself, such as an unknown procedure, but no internal fault.
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

/** The start of every procedure: `procedure.meta(…).input(…).output(…).query(…)`. */
export const procedure = { meta: (meta: Meta) => builderOf({ meta }) } as unknown as ProcedureBuilder

/** tRPC's builder without the types of earlier calls. */
interface UntypedBuilder extends Record<ProcedureType, (resolver: Definition['resolver']) => object> {
  input(schema: z.ZodType): UntypedBuilder
  output(schema: z.ZodType): UntypedBuilder
}

interface ProcedureDescription extends Pick<Definition, 'input' | 'output'> {
  readonly meta: Meta
}

function builderOf(described: ProcedureDescription) {
  const { input, output } = described
  const complete = (type: ProcedureType) => (resolver: Definition['resolver']) => {
    const meta = operationMeta(described.meta, output === undefined)
    const definition: Definition = { ...described, meta, resolver }
    const ours = t.procedure.experimental_caller(({ args: [call] }) => enveloped(definition, call as Call))
    let builder = ours.meta({ ...meta }) as unknown as UntypedBuilder
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

/** Returns the procedures of a router by their paths, such as `space.create`, in order. Throws for a foreign router. */
export function definitionsOf(router: object, path = ''): [path: string, Definition][] {
  return Object.entries(records.get(router) ?? {}).flatMap(([name, value]): [string, Definition][] => {
    const definition = definitions.get(value)
    if (definition) return [[path + name, definition]]
    if (!records.has(value)) throw new Error(`${path}${name} was not made by our builder`)
    return definitionsOf(value, `${path}${name}.`)
  })
}

/**
 * The maximum size of a tRPC response, which is one value in memory for all its calls, in characters of JSON. Anything
 * larger is read over REST, which writes page by page.
 */
const MAX_RESPONSE_SIZE = 4 * 1024 * 1024

/** Returns the budget of a response of values, in characters of JSON. */
export const valueBudget = (request: ValueRequest) => new ValueBudget(request.size ?? MAX_RESPONSE_SIZE, request)

/** For tRPC's own adapters: the size of their responses is limited, but their calls do not take turns. */
const OF_OTHER_ADAPTERS: ValueRequest = { whenAnswered: () => {} }

/** Performs a call for tRPC's envelope: refusals with its codes, and values instead of rendered responses. */
async function enveloped(definition: Definition, call: Call): Promise<unknown> {
  try {
    const value = await perform(definition, call)
    if (value instanceof Download) throw onlyOverRest(definition.meta.route)
    if (!(value instanceof RenderedOutput)) return value
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
