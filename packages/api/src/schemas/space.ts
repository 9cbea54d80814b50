import { isSpaceId, LIMITS, SPACE_ID_PATTERN, SPACE_STATUSES, VISIBILITIES } from '@collab-spaces/domain'
import { z } from 'zod'
import {
  externalLinks,
  id,
  list,
  moment,
  oneOf,
  optional,
  optionalName,
  partOfList,
  stringError,
  text,
} from './field.js'
import { Participant } from './participant.js'
import { Preferences } from './preference.js'
import { seenFields } from './seen.js'

const state = {
  space_id: z.string(),
  title: z.string().nullable().meta({ description: 'What people call it; null for its id. Extension' }),
  description: z.string(),
  status: z.enum(SPACE_STATUSES),
  visibility: z.enum(VISIBILITIES).meta({
    description: 'Whether all members of the tenant see it, or only its participants',
  }),
  links: z.array(z.string().meta({ format: 'uri' })),
  owners: z.array(z.string()).meta({
    description:
      'Ids of the humans that the space belongs to, sorted. Those who have left the tenant are not among them',
  }),
  started_at: moment(),
  ended_at: moment().nullable(),
  event_count: z.int(),
  last_event_at: moment().nullable(),
}

const preferences = Preferences.meta({ description: 'How the caller has it for itself. Extension' })

/** A space in a list. */
export const Space = z
  .object({
    ...state,
    ...seenFields,
    preferences,
    participant_count: z.int(),
    partners: z.array(z.object({ actor_id: z.string(), name: z.string(), is_present: z.boolean() })).meta({
      description: 'The other participants of a conversation. Empty for any other space. Extension',
    }),
  })
  .meta({ id: 'Space' })

/** The status view of one space. */
export const SpaceStatus = z
  .object({ ...state, ...seenFields, preferences, participants: z.array(Participant) })
  .meta({ id: 'SpaceStatus' })

export const CreatedSpace = z
  .object({ space_id: z.string(), status: z.object({ status: z.enum(SPACE_STATUSES) }) })
  .meta({ id: 'CreatedSpace' })

export const SpaceId = z.object({ space_id: id('The space') })

export const ListSpaces = z.object({
  status: optional(oneOf(SPACE_STATUSES)).meta({ description: 'Only spaces of this status' }),
  ...partOfList('space'),
})

const fields = {
  title: optional(optionalName(LIMITS.title)).meta({
    description: 'What people call it, in one line; empty for its id. Extension',
  }),
  description: optional(text(LIMITS.description, 0)),
  links: optional(externalLinks()),
  visibility: optional(oneOf(VISIBILITIES)).meta({
    description:
      'A `private` space is there for its participants only, and for the sponsors of its agents, who read it. Extension',
  }),
}

export const CreateSpace = z.object({
  space_id: z
    .string({ error: stringError })
    .refine(isSpaceId, {
      error: 'must begin with a letter or digit and consist of at most 128 letters, digits and . _ : @ ~ -',
    })
    .meta({ pattern: SPACE_ID_PATTERN }),
  ...fields,
})

export const StartConversation = z.object({
  actor_ids: list(text(LIMITS.speakerId), LIMITS.conversation, 'actor ids')
    .min(1, { error: 'must name at least one actor' })
    .meta({ description: 'The participants besides the caller' }),
})

/** A private space as an admin sees it who is not in it. */
export const PrivateSpace = z
  .object({
    space_id: z.string(),
    status: state.status,
    owners: state.owners,
    started_at: moment(),
    participant_count: z.int(),
    event_count: z.int(),
  })
  .meta({ id: 'PrivateSpace' })

export const ChangeSpace = z.object({
  space_id: id('The space'),
  ...fields,
  status: optional(oneOf(SPACE_STATUSES)),
  owners: optional(
    list(text(LIMITS.speakerId), LIMITS.owners, 'actor ids').min(1, { error: 'must name at least one human' }),
  ).meta({ description: 'Ids of humans of the tenant, in place of the owners before. Extension' }),
})
