import { ATTENTION_KINDS, DONE_OUTCOMES, LIMITS, NOTICE_KINDS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Stopped } from './actor.js'
import { Decision } from './decision.js'
import { Event } from './event.js'
import { flag, freeObject, id, integer, list, moment, oneOf, optional, text, timestamp, wait } from './field.js'
import { heldClaim, WorkClaim } from './work-claim.js'

const InboxItem = z
  .object({
    space_id: z.string(),
    event: Event,
    kinds: z.array(z.enum(ATTENTION_KINDS)).meta({
      description:
        'It mentions the caller, replies to an event that the caller posted, is in a thread that the caller takes part ' +
        'in, or is in a conversation of the caller',
    }),
    claim: WorkClaim.nullable().meta({ description: 'The live claim on it, if any' }),
    from_human: z.boolean().meta({ description: 'Whether a human posted it, whatever its attribution' }),
  })
  .meta({ id: 'InboxItem' })

export const Notice = z
  .object({
    notice_id: z.uuid(),
    kind: z.string().meta({ examples: [...NOTICE_KINDS] }),
    space_id: z.string().nullable(),
    details: freeObject(),
    earlier: z.int().meta({ description: 'How many earlier notices of the same kind it stands for' }),
    created_at: moment(),
  })
  .meta({ id: 'Notice' })

export const Inbox = z
  .object({
    counts: z.object({
      unread: z.int().meta({ description: 'All items, up to 1,000' }),
      decisions: z.int(),
      notices: z.int(),
    }),
    items: z.array(InboxItem),
    decisions: z.array(Decision).meta({ description: 'Open ones that wait for the caller' }),
    notices: z.array(Notice),
    more: z.boolean().meta({ description: 'Whether there are more items than these' }),
    done: z
      .object({
        through: z.array(z.object({ space_id: z.string(), event_id: z.uuid() })),
        notices: z.array(z.uuid()),
      })
      .meta({
        description: 'Sent back, it marks all of these items as done, and the notices that the credential may dismiss',
      }),
    next_snooze_at: moment().nullable().meta({
      description: 'When the next snoozed item, decision or notice comes back by time; null for never, and for agents',
    }),
    snoozed_until: z.record(z.string(), moment().nullable()).optional().meta({
      description: 'With `snoozed`: when each event, decision and notice comes back by time, by its id; null for never',
    }),
    stopped: Stopped,
  })
  .meta({ id: 'Inbox' })

const installation_id = optional(text(LIMITS.installationId)).meta({
  description: 'The installation that a connected agent runs in',
})

export const ReadInbox = z
  .object({
    wait: wait(),
    limit: integer(PAGES.inbox),
    space_id: optional(z.string()).meta({ description: 'Only items of this space' }),
    peek: flag().meta({ description: 'For a program that only counts: nothing becomes seen' }),
    snoozed: flag().meta({
      description: 'What a human has snoozed, instead of the rest; not with `wait`. Nothing becomes seen',
    }),
    installation_id,
  })
  .refine(({ wait, snoozed }) => wait === 0 || !snoozed, {
    path: ['wait'],
    error: 'cannot be given together with snoozed',
  })

const Through = z.object(
  { space_id: id('The space'), event_id: id('The last event that is done') },
  { error: 'must be a JSON object' },
)

export const Snooze = z.object({
  items: optional(
    list(
      z.object({ space_id: id('The space'), event_id: id('The event') }, { error: 'must be a JSON object' }),
      LIMITS.done,
      'objects',
    ),
  ).meta({ description: 'Events of the inbox' }),
  decisions: optional(
    list(
      z.object({ space_id: id('The space'), decision_id: id('The decision') }, { error: 'must be a JSON object' }),
      LIMITS.done,
      'objects',
    ),
  ).meta({ description: 'Decisions of the inbox' }),
  notices: optional(list(id('The notice'), LIMITS.done, 'strings')).meta({ description: 'Notice ids' }),
  until: optional(timestamp()).meta({
    description: 'When they come back; a time that has passed brings them back now',
  }),
})

export const MarkDone = z.object({
  through: optional(list(Through, LIMITS.done, 'objects')).meta({
    description: 'In each of these spaces, everything up to this event',
  }),
  notices: optional(list(id('The notice'), LIMITS.dismissed, 'strings')).meta({ description: 'Notice ids' }),
  outcome: optional(oneOf(DONE_OUTCOMES)).meta({
    description: 'The outcome of what this marks as done, which the askers see',
  }),
  reason: optional(text(LIMITS.declineReason)).meta({ description: 'Why it is declined' }),
  claim: heldClaim(),
  installation_id,
})
