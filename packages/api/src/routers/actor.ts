import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import {
  apiKey,
  connect,
  limitsOfNewKey,
  NO_LIMITS,
  release,
  requireCanConnect,
  requireCanManage,
  requireCanMeet,
  requireCanOperate,
  requireCanRelease,
  rotate,
  unauthenticated,
  unknown,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { keyMaker } from '../grant.js'
import { listSpaces } from '../list-spaces.js'
import { presentActor, presentActorCard, presentActorWithKey, presentMe } from '../presenters/actor.js'
import { withEnded } from '../presenters/credential.js'
import { hashOf } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { registerAgent, registerHuman } from '../registration.js'
import { requireSpaces } from '../require-space.js'
import {
  Actor,
  ActorCard,
  ActorId,
  ActorWithKey,
  AgentConnected,
  ChangeActor,
  ConnectAgent,
  Connected,
  Done,
  Me,
  RegisterActor,
  Released,
  RotatedActor,
  RotateKey,
} from '../schemas/actor.js'
import { ListSpaces, Space } from '../schemas/space.js'
import { actorStreamProcedure } from './actor-stream.js'
import { disableProcedures } from './disable.js'
import { stopProcedures } from './stop.js'

export const actorRouter = router({
  ...stopProcedures,
  ...disableProcedures,
  ...actorStreamProcedure,

  register: procedure
    .meta({
      caller: 'registrant',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/actors',
      tags: ['Actors'],
      summary: 'Register a human or, with the key of a human, an agent',
      description:
        '*Public* for a human; a key is ignored. 403 if registration is closed, or for pages of other origins ' +
        '(`Origin`, `Sec-Fetch-Site: cross-site`), unless with the `code` of an [invite](#invites), into whose ' +
        'tenant it registers. A human needs an `email`. An agent needs the key of its future sponsor: none is 401, ' +
        "an agent's 403. More than 100 agents of a human, unless the operator says otherwise: 403.",
      returns: 'actor with `api_key` and its limits',
      errors: [404],
      example: { display_name: 'Ada', email: 'ada@example.org' },
    })
    .input(RegisterActor)
    .output(ActorWithKey)
    .mutation(async ({ ctx: { caller: sponsor, ...ctx }, input }) => {
      const { actor, key, limits } = sponsor
        ? await registerAgent(ctx.services, sponsor, input)
        : await registerHuman(ctx, input)
      return presentActorWithKey(actor, key, limits)
    }),

  me: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/me',
      tags: ['Actors'],
      summary: 'Get the caller, with the limits of its credential',
      returns: 'the caller, with the limits of its credential',
    })
    .output(Me)
    .query(async ({ ctx: { caller, services } }) => {
      const actor = await services.database.actors.find(caller.actorId)
      if (!actor) throw unauthenticated()
      return presentMe(actor, caller.limits)
    }),

  mySpaces: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/me/spaces',
      tags: ['Actors'],
      summary: 'List the spaces the caller has joined',
      returns: 'spaces the caller has joined, newest first',
    })
    .input(ListSpaces)
    .output(z.array(Space))
    .query(({ ctx: { caller, services }, input }) => listSpaces(services, caller, input, { isJoined: true })),

  myAgents: procedure
    .meta({
      caller: 'human',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/me/agents',
      tags: ['Actors'],
      summary: 'List the agents the caller sponsors',
      returns: 'agents the caller sponsors',
    })
    .output(z.array(Actor))
    .query(async ({ ctx: { caller, services } }) => {
      const agents = await services.database.actors.agentsOf(caller.actorId)
      return RenderedOutput.list(agents, (agent) => presentActor(agent, caller))
    }),

  card: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/{actor_id}',
      tags: ['Actors', 'Extensions'],
      summary: 'Get what other members see of an actor, its claims, and the spaces in common',
      description:
        'In the tenant; in the shared tenant, and by guests, with a space or the human behind it in common; else 404.',
      returns:
        '`actor_id`, `display_name`, `actor_type`, `sponsor_id`, `sponsor_name`, `agent_profile` (for the agent and ' +
        'its sponsor), `title`, `time_zone`, `picture`, `is_admin`, `is_disabled`, `agent_adapter`, `connected_at`, `created_at`, `stopped`, ' +
        '`last_seen_at` (to the minute; in the shared tenant, only of actors of the same human), `common_spaces` (up ' +
        'to 100 ids), its newest 20 [`claims`](#claims) in spaces that the caller reads',
    })
    .input(ActorId)
    .output(ActorCard)
    .query(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      const actor = await services.database.actorCard(caller, actor_id)
      if (!actor) throw unknown('Actor')
      requireCanMeet(caller, actor)
      return presentActorCard(actor, await services.database.workClaims.heldBy(caller, actor_id), caller)
    }),

  change: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      cost: 'change',
      route: 'PATCH /api/actors/{actor_id}',
      tags: ['Actors'],
      summary: 'Change the name, profile or metadata of the caller, or of an agent it sponsors',
      description:
        'By a human itself, or the sponsor. `title` says what it does; a null `metadata`, `title` or `time_zone` ' +
        'clears it.',
      returns: 'actor',
      example: { display_name: 'Scout the Second' },
    })
    .input(ChangeActor)
    .output(Actor)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const actor = await services.database.actors.change(input.actor_id, caller, (actor) => {
        requireCanManage(caller, actor)
        return {
          ...(input.display_name !== undefined && { displayName: input.display_name }),
          ...(input.metadata !== undefined && { metadata: input.metadata && JSON.stringify(input.metadata) }),
          ...(input.title !== undefined && { title: input.title }),
          ...(input.time_zone !== undefined && { timeZone: input.time_zone }),
        }
      })
      return presentActor(actor, caller)
    }),

  delete: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/actors/{actor_id}',
      tags: ['Actors'],
      summary: 'Delete the caller with its agents, or an agent it sponsors',
      description:
        'By a human itself, with its agents, or the sponsor. Keys and streams end at once; events remain, with their ' +
        'names. The last admin of a tenant with other members: 409.',
      errors: [409],
    })
    .input(ActorId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      await services.database.actors.delete(
        actor_id,
        caller,
        (actor) => requireCanManage(caller, actor),
        databaseClock.now(),
      )
      services.revocations.announce()
      return { ok: true }
    }),

  rotateKey: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      scopeOfAgents: 'write',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/actors/{actor_id}/rotate-key',
      tags: ['Actors'],
      summary: 'Replace the API key; the old one stops working at once',
      description:
        'By the actor or its sponsor. The old key ends at once; what it made stays, but with `revoke_tokens` all ' +
        'that any credential of the actor made [ends](#credentials). For a connected agent, send `X-Installation-Id` ' +
        "of its installation or `X-Force-Rotate: true`, else 409 `agent_connected`. An agent's limits stay, or, if " +
        'any are given, are exactly these, with scopes as for a new one.',
      returns: 'actor with `api_key` and its limits, and [`ended`](#credentials)',
      errors: [409],
      example: { revoke_tokens: false },
      headers: { 'X-Force-Rotate': 'force', 'X-Installation-Id': 'installation_id' },
      errorBodies: { 409: AgentConnected },
    })
    .input(RotateKey)
    .output(RotatedActor)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { actor_id, force, installation_id: installationId, revoke_tokens, ...asked } = input
      await requireSpaces(services, caller, asked.space_ids)
      const maker = await keyMaker(services, caller)
      const key = apiKey(randomBytes)
      const now = databaseClock.now()
      let limits = NO_LIMITS
      const { actor, ended } = await services.database.actors.rotateKey(actor_id, caller, (actor, current) => {
        requireCanOperate(caller, actor)
        const connection = rotate(actor, { installationId, force }, now)
        limits = limitsOfNewKey(actor, current, asked, maker, now)
        return { keyHash: hashOf(key), limits, connection, ...(revoke_tokens && { everythingEndsAt: now }) }
      })
      services.revocations.announce()
      return withEnded(presentActorWithKey(actor, key, limits), ended)
    }),

  connect: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      scopeOfAgents: 'write',
      cost: 'change',
      route: 'POST /api/actors/{actor_id}/connect',
      tags: ['Actors', 'Extensions'],
      summary: 'Connect an agent to an installation',
      description:
        'By the agent or its sponsor. Connects it, or refreshes that. Connected elsewhere: 409 `agent_connected`. A ' +
        'human: 400.',
      returns: '`{agent_id, status: "connected", installation_id, connected_at}`',
      errors: [409],
      idempotent: true,
      example: { installation_id: 'laptop-1', agent_adapter: 'rest' },
      errorBodies: { 409: AgentConnected },
    })
    .input(ConnectAgent)
    .output(Connected)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id, installation_id, agent_adapter } }) => {
      const now = databaseClock.now()
      const agent = await services.database.actors.change(actor_id, caller, (actor) => {
        requireCanConnect(caller, actor)
        return { connection: connect(actor, installation_id, now), agentAdapter: agent_adapter ?? null }
      })
      return { agent_id: agent.actorId, status: 'connected', installation_id, connected_at: now.toISOString() }
    }),

  release: procedure
    .meta({
      caller: 'actor',
      scope: 'account',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/actors/{actor_id}/release',
      tags: ['Actors'],
      summary: 'Release an agent from its installation; its key stays valid',
      description: 'By the sponsor or admins. The key stays valid.',
      returns: '`{agent_id, status}`, `released` or `already_released`',
      idempotent: true,
    })
    .input(ActorId)
    .output(Released)
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      let status: ReturnType<typeof release> = 'already_released'
      const agent = await services.database.actors.change(actor_id, caller, (actor) => {
        requireCanRelease(caller, actor)
        status = release(actor)
        return { connection: null, agentAdapter: null }
      })
      return { agent_id: agent.actorId, status }
    }),
})
