import type { BODY_BYTES, TokenScope } from '@collab-spaces/domain'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { z } from 'zod'
import type { Cost } from '../gate.js'
import type { CallerRule } from './caller.js'
import type { Tag } from './tag.js'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Path = `/api/${string}`

/** A cost that depends on the unchecked input. */
type CostOfInput = (input: Readonly<Record<string, unknown>>) => Cost

/** Returns the cost of an operation that may be a long poll (`?wait=`). */
export const unlessItWaits =
  (cost: Cost): CostOfInput =>
  ({ wait }) =>
    Number(wait) > 0 ? 'wait' : cost

/** The description of a procedure. */
export interface Meta<Rule extends CallerRule = CallerRule> {
  /** Who may call it. */
  readonly caller: Rule
  /** The scope that a credential with limits needs. */
  readonly scope: TokenScope
  /** The scope that suffices for an agent, which can do this only about itself. */
  readonly scopeOfAgents?: TokenScope
  /** The kind of slot that it holds while it runs. */
  readonly cost: Cost | CostOfInput
  /** Its REST route. Path parameters are in braces, named as the input's fields. */
  readonly route: `${Method} ${Path}`
  /** `Extensions` marks operations beyond the reference, `x-extension` in the document. */
  readonly tags: [Tag] | [Tag, 'Extensions']
  readonly summary: string
  /** Effects and special cases, for the row in `docs/api.md`, to whose headings it may link, and for the document. */
  readonly description?: string
  /** The response, for both; absent for `{"ok": true}`, and where `description` has its further fields. */
  readonly returns?: string
  /** Errors beyond those of every operation. A path with an ID has 404 anyway. */
  readonly errors?: (404 | 409)[]
  /**
   * Has the same effect when it is sent twice. Setting a value is not repeatable, as it may overwrite a concurrent change.
   */
  readonly idempotent?: true
  /**
   * An example body for the document. Each works as it is once the space `plans` exists. Values from an earlier response,
   * such as the code of an invite, are in words.
   */
  readonly example?: object
  /** Body fields that are accepted and ignored, for the document. */
  readonly ignored?: readonly string[]
  /** A write that ends something: works even with an almost full disk and beyond limits. */
  readonly alwaysWorks?: true
  /** Whether its body or its response is the bytes of a file, which only REST has. */
  readonly bytes?: 'in' | 'out'
  /** Whether it responds with lines of JSON. */
  readonly lines?: true
  /** The maximum size of its body; `usual` by default. */
  readonly body?: keyof typeof BODY_BYTES
  /** Input fields that REST clients send as headers, by header name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Error bodies with fields besides `detail`. */
  readonly errorBodies?: Readonly<Partial<Record<409, z.ZodObject>>>
}

/** Replaces links to headings of `docs/api.md` by their texts. */
export const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\(#[\w-]+\)/g, '$1')

/** The meta as adapters, the document and the tests use it. */
export type OperationMeta = ReturnType<typeof operationMeta>

/** Adds the route in the form of trpc-to-openapi, which does not support streams. */
export function operationMeta(meta: Meta, isStream: boolean) {
  const { caller, route, tags, summary, description } = meta
  const [method, path] = route.split(' ') as [Method, Path]
  const errors = [...(path.includes('{') ? [404 as const] : []), ...(meta.errors ?? [])]
  const openapi = {
    method,
    path,
    tags: [tags[0]],
    summary,
    ...(description !== undefined && { description: withoutLinks(description) }),
    protect: caller !== 'none' && caller !== 'registrant',
    enabled: !isStream,
    errorResponses: errors,
  } satisfies OpenApiMeta['openapi']
  return { ...meta, errors, openapi }
}
