import type { AnyTRPCProcedure } from '@trpc/server'
import { z } from 'zod'
import { appRouter } from '../router.js'
import type { Call, Meta } from './trpc.js'

/** A procedure with what the REST door and the document need to know of it. */
export interface Operation {
  /** The procedure's path in the typed router, e.g. `space.create`. */
  readonly name: string
  readonly meta: Meta
  readonly input: z.ZodObject
  /** Undefined for the stream, which is no JSON. */
  readonly output: z.ZodType | undefined
  /** Answers a call, or rejects with what refuses it. */
  run(call: Call): Promise<unknown>
}

interface Definition {
  readonly meta?: Meta
  readonly inputs: readonly z.ZodObject[]
  readonly output?: { readonly shape: z.ZodType }
}

/** Every operation of the router, in its order. A procedure without a REST path is a mistake of ours. */
export const operations: readonly Operation[] = Object.entries(
  appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>,
).map(([name, procedure]) => {
  const { meta, inputs, output } = procedure._def as unknown as Definition
  if (!meta) throw new Error(`${name} has no REST path`)
  return {
    name,
    meta,
    input: inputs[0] ?? z.object({}),
    output: output?.shape,
    run: procedure as unknown as Operation['run'],
  }
})
