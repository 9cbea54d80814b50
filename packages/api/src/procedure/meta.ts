import type { OpenApiMeta } from 'trpc-to-openapi'
import type { z } from 'zod'
import type { CallerRule } from './caller.js'

/** The nouns of the API document, in its order. */
export type Tag =
  | 'Actors'
  | 'Spaces'
  | 'Participants'
  | 'Events'
  | 'Threads'
  | 'Decisions'
  | 'Links'
  | 'Activity'
  | 'Summaries'
  | 'Search'
  | 'Personal access tokens'
  | 'Tenants'
  | 'Invites'

/** How a procedure is reached over REST, as trpc-to-openapi describes it, with less left open. */
export interface OpenApi extends NonNullable<OpenApiMeta['openapi']> {
  /** Path parameters in braces, named as the input's fields. */
  path: `/api/${string}`
  summary: string
  /** `Extensions` marks what the reference does not have. */
  tags: [Tag] | [Tag, 'Extensions']
  /** Refusals that not every operation has. */
  errorResponses?: (404 | 409 | 429)[]
}

/** What adapters, the document and the tests know of a procedure; its typed path is the procedure's own. */
export interface Meta<Rule extends CallerRule = CallerRule> {
  /** Who may call it. */
  readonly caller: Rule
  readonly openapi: OpenApi
  /** Input fields that REST clients send as headers: header name to field. */
  readonly headers?: Readonly<Record<string, string>>
  /** Bodies of refusals that have fields beside the detail. */
  readonly errorBodies?: Readonly<Partial<Record<409, z.ZodObject>>>
}
