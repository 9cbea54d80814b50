import type { BODY_BYTES, TokenScope } from '@collab-spaces/domain'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { z } from 'zod'
import type { Cost } from '../gate.js'
import type { CallerRule } from './caller.js'
import type { Tag } from './tag.js'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Path = `/api/${string}`

/** A cost that depends on an input, which is not checked yet. */
type CostOfInput = (input: Readonly<Record<string, unknown>>) => Cost

/** The cost of an operation that may wait for something to happen (`?wait=`). */
export const unlessItWaits =
  (cost: Cost): CostOfInput =>
  ({ wait }) =>
    Number(wait) > 0 ? 'wait' : cost

/** How a procedure is described; its typed path is its own. */
export interface Meta<Rule extends CallerRule = CallerRule> {
  /** The rule of who may call it. */
  readonly caller: Rule
  /** The scope that a credential with limits needs. */
  readonly scope: TokenScope
  /** The scope that suffices for an agent, which can do this only about itself. */
  readonly scopeOfAgents?: TokenScope
  /** The kind of slot that it has while it is under way. */
  readonly cost: Cost | CostOfInput
  /** Its place in the REST API. Path parameters are in braces, named as the input's fields. */
  readonly route: `${Method} ${Path}`
  /** `Extensions` marks operations beyond the reference, which is `x-extension` in the document. */
  readonly tags: [Tag] | [Tag, 'Extensions']
  readonly summary: string
  readonly description?: string
  /** Errors that not every operation has. One with an id in its path has 404 anyhow. */
  readonly errors?: (404 | 409)[]
  /**
   * Has the same effect when it is sent twice. One that sets a value is not: sent again, it may overwrite what somebody
   * else has set in between.
   */
  readonly idempotent?: true
  /**
   * A body, for the document. Each works as it stands, after that which makes the space `plans`. Only what an answer has
   * told before is in words, such as the code of an invite.
   */
  readonly example?: object
  /** Fields of a body that may be sent and are ignored, for the document. */
  readonly ignored?: readonly string[]
  /** Works even when the disk is almost full or a limit is reached, though it writes: it ends something. */
  readonly alwaysWorks?: true
  /** Whether its answer is lines of JSON. */
  readonly lines?: true
  /** How large its body can be; `usual` by default. */
  readonly body?: keyof typeof BODY_BYTES
  /** Input fields that REST clients send as headers: header name to field. */
  readonly headers?: Readonly<Record<string, string>>
  /** Bodies of errors with fields besides the detail. */
  readonly errorBodies?: Readonly<Partial<Record<409, z.ZodObject>>>
}

/** The meta as adapters, the document and the tests have it. */
export type OperationMeta = ReturnType<typeof operationMeta>

/** With its route in the form of trpc-to-openapi, whose document leaves streams out, as they are no JSON. */
export function operationMeta(meta: Meta, isStream: boolean) {
  const { caller, route, tags, summary, description } = meta
  const [method, path] = route.split(' ') as [Method, Path]
  const errors = [...(path.includes('{') ? [404 as const] : []), ...(meta.errors ?? [])]
  const openapi = {
    method,
    path,
    tags: [tags[0]],
    summary,
    ...(description !== undefined && { description }),
    protect: caller !== 'anybody' && caller !== 'registrant',
    enabled: !isStream,
    errorResponses: errors,
  } satisfies OpenApiMeta['openapi']
  return { ...meta, errors, openapi }
}
