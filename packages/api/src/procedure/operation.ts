import { BODY_BYTES } from '@collab-spaces/domain'
import { z } from 'zod'
import { appRouter } from '../router.js'
import type { Call } from './context.js'
import type { OperationMeta } from './meta.js'
import { perform } from './perform.js'
import { definitionsOf } from './trpc.js'

/** A procedure with what adapters and the document need to know of it. */
export interface Operation {
  /** The procedure's path in the typed router, such as `space.create`. */
  readonly name: string
  readonly meta: OperationMeta
  readonly input: z.ZodObject
  /** Undefined for the stream, which is not JSON. */
  readonly output: z.ZodType | undefined
  /** How large its body can be. */
  readonly bodyBytes: number
  /** Runs a call. Rejects with the error if it is refused. */
  run(call: Call): Promise<unknown>
}

/** Every operation of the service, in the order of the router. */
export const operations: readonly Operation[] = definitionsOf(appRouter).map(([name, definition]) => ({
  name,
  meta: definition.meta,
  input: definition.input ?? z.object({}),
  output: definition.output,
  bodyBytes: BODY_BYTES[definition.meta.body ?? 'usual'],
  run: (call) => perform(definition, call),
}))
