import { ACTOR_TYPES, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { askedLimitsOfAgent, ended, shownLimits } from './credential.js'
import {
  email,
  flag,
  freeObject,
  id,
  installationId,
  moment,
  name,
  oneOf,
  optional,
  text,
  timeZone,
  trimmedName,
} from './field.js'
import { inviteCode } from './invite.js'
import { WorkClaim } from './work-claim.js'

export const StopAgents = z.object({
  reason: optional(text(LIMITS.stopReason)).meta({ description: 'Shown to requests with the key' }),
})

/** Why an agent may only read. */
export const Stopped = z
  .object({ reason: z.string().nullable(), stopped_by: z.string(), stopped_at: moment() })
  .nullable()
  .meta({ description: 'Set while an agent may only read. Extension' })

const profile = {
  title: z.string().nullable().meta({ description: 'What it does, in one line. Extension' }),
  time_zone: z.string().nullable().meta({ description: 'A name of the IANA database. Extension' }),
  picture: z.string().nullable().meta({ description: 'The SHA-256 of its picture, if it has one. Extension' }),
}

export const Actor = z
  .object({
    actor_id: z.string(),
    display_name: z.string(),
    actor_type: z.enum(ACTOR_TYPES),
    email: z.string().nullable(),
    default_space_id: z.string().nullable(),
    sponsor_id: z.string().nullable(),
    tenant_id: z.string().nullable(),
    agent_profile: z.string().nullable(),
    ...profile,
    metadata: freeObject().nullable(),
    created_at: moment(),
    connection: z
      .object({ installation_id: z.string(), agent_adapter: z.string().nullable(), connected_at: moment() })
      .nullable()
      .meta({ description: 'The installation an agent is connected to. Extension' }),
    stopped: Stopped,
  })
  .meta({ id: 'Actor' })

/** An actor as its colleagues see it. */
export const ActorCard = z
  .object({
    actor_id: z.string(),
    display_name: z.string(),
    actor_type: z.enum(ACTOR_TYPES),
    sponsor_id: z.string().nullable(),
    sponsor_name: z.string().nullable().meta({ description: 'Null if it has none, or none in this tenant' }),
    agent_profile: z.string().nullable().meta({ description: 'For the agent and its sponsor; null for others' }),
    ...profile,
    is_admin: z.boolean(),
    is_disabled: z.boolean(),
    agent_adapter: z.string().nullable(),
    connected_at: moment().nullable(),
    created_at: moment(),
    stopped: Stopped,
    last_seen_at: moment().nullable().meta({
      description:
        'When it was last heard of, to the minute. Null if never, and in the shared tenant for actors of another human',
    }),
    is_present: z.boolean().meta({
      description: 'Whether it is a human who looks at the page now and shows it, to actors with a space in common',
    }),
    common_spaces: z.array(z.string()).meta({ description: 'Ids of spaces that both have joined; at most 100' }),
    claims: z.array(WorkClaim).meta({
      description: 'What it works on in spaces that the caller reads; the newest first, at most 20',
    }),
  })
  .meta({ id: 'ActorCard' })

/** The caller, and what the credential it came with is limited to. */
export const Me = Actor.extend(shownLimits).meta({ id: 'Me' })

export const ActorWithKey = Actor.extend({
  ...shownLimits,
  api_key: z.string().meta({ description: 'Plaintext, shown only once' }),
}).meta({ id: 'ActorWithKey' })

export const RotatedActor = ActorWithKey.extend({
  ended: ended.meta({ description: 'With `revoke_tokens`, what ended. Absent if nothing ended. Extension' }),
}).meta({ id: 'RotatedActor' })

export const RegisterActor = z
  .object({
    display_name: trimmedName(LIMITS.displayName),
    actor_type: optional(oneOf(ACTOR_TYPES).meta({ override: { default: 'human' } })),
    email: optional(email()).meta({ description: 'Required for humans' }),
    agent_profile: optional(text(LIMITS.agentProfile, 0)),
    metadata: optional(freeObject()),
    code: optional(inviteCode()).meta({
      description: 'The code of an invite, to register directly into its tenant. Extension',
    }),
    ...askedLimitsOfAgent,
  })
  .superRefine(({ actor_type, email, scopes, space_ids, expires_at }, context) => {
    if (actor_type === 'agent') return
    if (email === undefined) {
      context.addIssue({ code: 'custom', path: ['email'], message: 'is required for a human actor' })
    }
    for (const [field, value] of Object.entries({ scopes, space_ids, expires_at })) {
      if (value !== undefined) context.addIssue({ code: 'custom', path: [field], message: 'is for agents only' })
    }
  })

const actor_id = id('The actor')

export const ActorId = z.object({ actor_id })

export const StopAgent = StopAgents.extend({ actor_id })

export const ChangeActor = z.object({
  actor_id,
  display_name: optional(trimmedName(LIMITS.displayName)),
  metadata: freeObject().nullish().meta({ description: 'null clears it' }),
  title: name(LIMITS.actorTitle).nullish().meta({ description: 'What it does, in one line; null clears it' }),
  time_zone: timeZone().nullish().meta({ description: 'A name of the IANA database; null clears it' }),
})

export const RotateKey = z.object({
  actor_id,
  force: flag(),
  installation_id: optional(installationId()),
  revoke_tokens: flag().meta({
    description:
      'End everything else, too: all tokens, agent codes, invites and webhooks of the actor, and stop its agents. Extension',
  }),
  ...askedLimitsOfAgent,
})

export const ConnectAgent = z.object({
  actor_id,
  installation_id: installationId(),
  agent_adapter: optional(text(LIMITS.agentAdapter)),
})

export const Connected = z
  .object({
    agent_id: z.string(),
    status: z.literal('connected'),
    installation_id: z.string(),
    connected_at: moment(),
  })
  .meta({ id: 'Connected' })

export const Released = z
  .object({ agent_id: z.string(), status: z.enum(['released', 'already_released']) })
  .meta({ id: 'Released' })

/** The actor that was disabled, or enabled. */
export const Changed = z
  .object({
    actor_id: z.string(),
    disabled: z.boolean(),
    changed: z.array(z.string()).meta({ description: 'The actor and its agents, as far as that changed something' }),
  })
  .meta({ id: 'Disabled' })

/** The error while an agent is connected to another installation. */
export const AgentConnected = z
  .object({
    detail: z.string(),
    error: z.literal('agent_connected'),
    message: z.string().meta({ description: 'The same as detail' }),
    agent_id: z.string(),
  })
  .meta({ id: 'AgentConnected' })

export const Done = z.object({ ok: z.literal(true) }).meta({ id: 'Done' })
