import { DomainError } from '@collab-spaces/domain'
import { type AnyTRPCRouter, initTRPC, type TRPC_ERROR_CODE_KEY, type TRPC_ERROR_CODE_NUMBER } from '@trpc/server'
import type { ProcedureBuilder } from './builder.js'
import type { Call } from './context.js'
import { asTrpcError, refusalOf } from './fault.js'
import type { Meta } from './meta.js'
import { Rendered } from './output.js'
import { type Definition, perform } from './perform.js'
import { ValueBudget, type ValueRequest } from './value-budget.js'

/**
 * All use of tRPC's internals is in this file. Its builder describes procedures and its client infers their types;
 * their calls are ours (`perform`), since tRPC's own chain of middlewares, with a copy of the call for each, takes
 * several times as long as the checks themselves. So nothing that tRPC's builder would add to that chain may be used.
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
  .create({
    errorFormatter({ shape, error }): ErrorShape {
      const refused = refusalOf(error)
      const { stack: _, ...data } = shape.data as typeof shape.data & { stack?: string }
      // A refusal of tRPC itself, such as an unknown procedure, is told; a fault of ours is not.
      const isFault = !refused && error.code === 'INTERNAL_SERVER_ERROR'
      const detail = refused?.detail ?? (isFault ? 'Internal server error' : error.message)
      return { ...shape, message: detail, data: { ...data, ...refused?.fields, detail } }
    },
  })

export const router = t.router

/** How every procedure begins: `procedure.meta(…).input(…).output(…).query(…)`. */
export const procedure = t.procedure.experimental_caller(({ args: [call], _def }) =>
  enveloped(definitionOf(_def), call as Call),
) as unknown as ProcedureBuilder

/** The procedures of a router by their paths, such as `space.create`, in its order. Throws for one that is unsafe. */
export function definitionsOf(router: AnyTRPCRouter): [path: string, Definition][] {
  return Object.entries<{ _def: object }>(router._def.procedures).map(([path, { _def }]) => {
    const problem = problemOf(_def)
    if (problem) throw new Error(`${path} ${problem}`)
    return [path, definitionOf(_def)]
  })
}

const definitionOf = (def: object) => def as Definition

/** Settings that would compile and then be ignored. */
function problemOf(def: Partial<Definition> & { readonly middlewares?: readonly unknown[] }): string | null {
  const { meta, inputs = [], output, middlewares = [] } = def
  if (!meta) return 'has no meta: nobody can reach it'
  if (inputs.length > 1) return 'has more than one input: all but the first are ignored'
  // tRPC keeps a middleware for each parser, and one for the work.
  const expected = inputs.length + (output ? 1 : 0) + 1
  return middlewares.length === expected ? null : 'has a middleware: it would never run'
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

function answerTooLarge({ openapi: { method, path } }: Meta): DomainError {
  return new DomainError('too_large', `The answer is too large for a typed call; read it over REST: ${method} ${path}`)
}
