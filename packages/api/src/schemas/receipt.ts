import { LIMITS, RECEIPT_STATES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, moment, wait } from './field.js'

export const ReadReceipts = z.object({ space_id: id('The space'), event_id: id('The event'), wait: wait() })

/** One text, as a query has it. */
const eventIds = z
  .string({ error: 'must be event ids, separated by commas' })
  .transform((ids) => ids.split(',').filter((id) => id !== ''))
  .refine(({ length }) => length > 0 && length <= LIMITS.receiptEvents, {
    error: `must be 1 to ${LIMITS.receiptEvents} event ids`,
  })
  .meta({ description: `Up to ${LIMITS.receiptEvents}, separated by commas. Those that are not there are left out` })

export const ReadReceiptsOfEvents = z.object({ space_id: id('The space'), event_ids: eventIds })

export const Receipt = z
  .object({
    actor_id: z.string(),
    name: z.string(),
    state: z.enum(RECEIPT_STATES).meta({
      description:
        'How far it has come, from what the server knows. It ascends, but for a claim that ends, an agent that is ' +
        'started again, and an actor that is heard of again. Of a human: waiting, seen, answered, or unreachable once ' +
        'it can no longer read the space',
    }),
    since: moment().nullable().meta({ description: 'Null where that is no longer known' }),
    by_event_id: z.uuid().nullable().meta({ description: 'The answer' }),
    claim: z
      .object({ claim_id: z.uuid(), expires_at: moment(), progress: z.string().nullable() })
      .nullable()
      .meta({ description: 'Until when it works on it' }),
    done: z.boolean().meta({ description: 'Whether the agent has marked it as done, with an answer or without' }),
    reason: z.string().nullable().meta({ description: 'Why it was declined' }),
    last_seen_at: moment()
      .nullable()
      .meta({
        description:
          'When the agent was last heard of, to the minute. Null if never, for humans, and in the shared tenant for agents of ' +
          'another human',
      }),
  })
  .meta({ id: 'Receipt' })

export const EventReceipts = z
  .object({ event_id: z.uuid(), receipts: z.array(Receipt).meta({ description: 'By `actor_id`' }) })
  .meta({ id: 'EventReceipts' })
