import type { BODY_BYTES, TokenScope } from '@collab-spaces/domain'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { z } from 'zod'
import type { CallerRule } from './caller.js'
import type { Tag } from './tag.js'

/** The REST route of a procedure, in the form of trpc-to-openapi, with fewer optional fields. */
export interface OpenApi extends NonNullable<OpenApiMeta['openapi']> {
  /** Path parameters in braces, named as the input's fields. */
  path: `/api/${string}`
  summary: string
  /** `Extensions` marks operations beyond the reference. */
  tags: [Tag] | [Tag, 'Extensions']
  /** Errors that not every operation has. */
  errorResponses?: (404 | 409)[]
}

/** What adapters, the document and the tests know of a procedure; its typed path is the procedure's own. */
export interface Meta<Rule extends CallerRule = CallerRule> {
  /** Who may call it. */
  readonly caller: Rule
  /** What a credential with limits has to be allowed. */
  readonly scope: TokenScope
  /** What suffices for an agent, which can do this only about itself. */
  readonly scopeOfAgents?: TokenScope
  readonly openapi: OpenApi
  /** Works even when the disk is almost full or a limit is reached, though it writes: it ends something. */
  readonly alwaysWorks?: true
  /** Takes the database long, and is limited as such. It reads single rows with `readInTurn`. */
  readonly isHeavy?: true
  /**
   * Waits for its turn elsewhere: in the log, for something to happen, or where things lead to other machines. What it
   * reads and changes besides, it does with `readInTurn` and `inTurn`.
   */
  readonly hasOwnTurn?: true
  /** How large its body can be; `usual` by default. */
  readonly body?: keyof typeof BODY_BYTES
  /** Input fields that REST clients send as headers: header name to field. */
  readonly headers?: Readonly<Record<string, string>>
  /** Bodies of errors with fields besides the detail. */
  readonly errorBodies?: Readonly<Partial<Record<409, z.ZodObject>>>
}
