import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { moment, optional } from './field.js'
import { seenFields } from './seen.js'

const space_id = z.string()

/**
 * A change, for a client that displays it: ids and counts. A reader that misses one is late, and has missed
 * nothing that was said.
 */
export const Signal = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('space'),
        space_id,
        event_count: z.int(),
        last_event_at: moment().nullable(),
        ...seenFields,
      })
      .meta({ description: 'A space that the caller takes part in has grown, or the caller has seen more of it' }),
    z.object({ kind: z.literal('changed'), space_id, part: z.enum(['status', 'links', 'claims', 'receipts']) }).meta({
      description: 'Something of a space has changed. `status` is what it is and who takes part in it',
    }),
    z.object({ kind: z.literal('act'), space_id, decision_id: z.string().nullable() }).meta({
      description: 'Something was done about a decision, or about the space itself (null): it is in the acts',
    }),
    z.object({ kind: z.literal('reaction'), space_id, event_id: z.string().nullable() }).meta({
      description: 'The reactions to an event have changed; null for those to any event of the space',
    }),
    z
      .object({ kind: z.literal('inbox') })
      .meta({ description: 'Something has come into the inbox of the caller, or was marked as done' }),
    z.object({ kind: z.literal('stop'), actor_id: z.string() }).meta({
      description: 'An agent that shares a space with the caller was stopped or started',
    }),
    z
      .object({
        kind: z.literal('presence'),
        actors: z.array(z.object({ actor_id: z.string(), is_present: z.boolean() })),
      })
      .meta({
        description:
          'People came or went who share a conversation, or a space of `follow`, with the caller, a human. Of others, the ' +
          'lists say so',
      }),
    z.object({ kind: z.literal('following'), space_id, since: z.string().nullable() }).meta({
      description: 'The events of a space come from here on, after this one; from the first for null',
    }),
    z.object({ kind: z.literal('unfollowed'), space_id, detail: z.string() }).meta({
      description: 'They do not, or no longer, for this reason',
    }),
    z.object({ kind: z.literal('missed') }).meta({
      description: 'Some of this may not have been told: everything that is kept is to be read again',
    }),
  ])
  .meta({ id: 'Signal' })
export type Signal = z.output<typeof Signal>

/** The type of the messages of streams, for generators. OpenAPI 3.1 has no other place to say it. */
export const StreamMessage = z.union([Event, Signal]).meta({
  id: 'StreamMessage',
  description:
    'The JSON of the `data` of one message: of `context_event` the event, of any other what has changed, by its name',
})

/** A space, and the event after which it is followed. */
export interface FollowedSpace {
  readonly spaceId: string
  readonly since: string | null
}

const follow = optional(
  z.string({ error: 'must be a string' }).transform((text, context): FollowedSpace[] => {
    const all = text === '' ? [] : text.split(',')
    if (all.length > LIMITS.followed) {
      context.addIssue({ code: 'custom', message: `must name at most ${LIMITS.followed} spaces` })
    }
    return all.map((each) => {
      const [spaceId = '', since = null, ...rest] = each.split('/')
      if (spaceId === '' || since === '' || rest.length > 0) {
        context.addIssue({ code: 'custom', message: 'must be space ids, or space_id/event_id, separated by commas' })
      }
      return { spaceId, since }
    })
  }),
).meta({
  description: `Spaces whose events are sent, too: \`plans,hiring/EVENT_ID\`, at most ${LIMITS.followed}. From the first event, or after one; of a space that is named twice, after the earlier one`,
})

export const StreamActor = z.object({ follow })
