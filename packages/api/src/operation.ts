import { BODY_BYTES } from '@collab-spaces/domain'
import { z } from 'zod'
import type { Call } from './procedure/context.js'
import type { OperationMeta } from './procedure/meta.js'
import { perform } from './procedure/perform.js'
import { definitionsOf } from './procedure/trpc.js'
import { appRouter } from './router.js'

/** A procedure as adapters and the document use it. */
export interface Operation {
  /** The procedure's path in the typed router, such as `space.create`. */
  readonly name: string
  readonly meta: OperationMeta
  readonly input: z.ZodObject
  /** Undefined for streams, which are not JSON. */
  readonly output: z.ZodType | undefined
  /** The maximum size of its body. */
  readonly bodyBytes: number
  /** Runs a call. Rejects with a `DomainError` if it is refused. */
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
