import { SUMMARY_LANGUAGES } from '@collab-spaces/summarizer'
import { z } from 'zod'
import { flag, id, moment, oneOf, optional, requireForwards, timestamp } from './field.js'

export const Summary = z
  .object({
    summary_id: z.uuid(),
    space_id: z.string(),
    window_start: moment(),
    window_end: moment(),
    summary_text: z.string().meta({ description: 'Markdown' }),
    event_count: z.int(),
    model: z.string().meta({ description: 'What wrote it' }),
    created_at: moment(),
  })
  .meta({ id: 'Summary' })

export const ReadSummary = z
  .object({
    space_id: id('The space'),
    start: optional(timestamp()).meta({ description: 'Default: the start of the space' }),
    end: optional(timestamp()).meta({ description: 'Default: one hour ago' }),
    regenerate: flag().meta({ description: 'Write a new one even if nothing has changed' }),
    language: optional(oneOf(SUMMARY_LANGUAGES).meta({ override: { default: 'en' } })).meta({
      description: 'The language of its headings. For `de` and `ar`, a language model also writes in it. Extension',
    }),
  })
  .superRefine(requireForwards('start', 'end'))
