import { DECISION_STATUSES, LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { integer, moment, oneOf, optional, text } from './field.js'
import { File } from './file.js'

const snippet = z.string().meta({ description: 'The text around the match, which is between « and »' })

/** The file of an event that matches. */
export const FileMatch = File.pick({ file_id: true, name: true })
  .extend({ snippet: snippet.nullable().meta({ description: 'Of its text; null if only its name matches' }) })
  .meta({ id: 'FileMatch' })

export const Match = Event.extend({
  rank: z.number(),
  snippet,
  matched_file: FileMatch.optional().meta({ description: 'If a file matches, and not the text. Extension' }),
}).meta({ id: 'Match' })
export type Match = z.output<typeof Match>

export const DecisionMatch = z
  .object({
    decision_id: z.uuid(),
    space_id: z.string(),
    text: z.string().meta({ description: 'At most the first 1,000 characters' }),
    status: z.enum(DECISION_STATUSES),
    resolution: z.string().nullable().meta({ description: 'At most the first 1,000 characters' }),
    created_at: moment(),
    resolved_at: moment().nullable(),
    proposed_by: z.string(),
    posted_by: z.string(),
    resolved_by: z.string().nullable(),
    settled_by: z.string().nullable(),
    superseded_by: z.uuid().nullable(),
  })
  .meta({ id: 'DecisionMatch' })

const space = () => z.string({ error: 'must be a string' })

const queryFields = {
  q: text(LIMITS.query).meta({ description: 'Words, "a phrase", -not, or; `from:ada`, `before:2026-11-28`' }),
  space_id: optional(space()).meta({ description: 'Only this space' }),
  linked_to: optional(space()).meta({ description: 'This space and those linked to it, in either direction' }),
}

function inOnePlace(
  { space_id, linked_to }: { space_id?: string | undefined; linked_to?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (space_id === undefined || linked_to === undefined) return
  context.addIssue({ code: 'custom', path: ['space_id'], message: 'cannot be combined with linked_to' })
}

export const Search = z
  .object({
    ...queryFields,
    limit: integer(PAGES.search),
    sort: optional(oneOf(['newest', 'relevance'])).meta({ description: 'Default: newest' }),
  })
  .superRefine(inOnePlace)

export const SearchDecisions = z.object({ ...queryFields, limit: integer(PAGES.decisions) }).superRefine(inOnePlace)
