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
import { keyMaker } from '../key-maker.js'
import { listSpaces } from '../list-spaces.js'
import { presentActor, presentActorCard, presentActorWithKey, presentMe } from '../presenters/actor.js'
import { withEnded } from '../presenters/credential.js'
import { hashOf } from '../procedure/credential.js'
import { Rendered } from '../procedure/output.js'
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
      description: 'A human needs no credential. For an agent, send the key of the human who will sponsor it.',
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
    })
    .input(ListSpaces)
    .output(z.array(Space))
    .query(({ ctx: { caller, services }, input }) => listSpaces(services, caller, input, caller.actorId)),

  myAgents: procedure
    .meta({
      caller: 'human',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/me/agents',
      tags: ['Actors'],
      summary: 'List the agents the caller sponsors',
    })
    .output(z.array(Actor))
    .query(async ({ ctx: { caller, services } }) => {
      const agents = await services.database.actors.agentsOf(caller.actorId)
      return Rendered.list(agents, (agent) => presentActor(agent, caller))
    }),

  card: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/{actor_id}',
      tags: ['Actors', 'Extensions'],
      summary: 'Get what colleagues see of an actor, what it works on, and the spaces in common',
      description:
        'For members of its tenant. In the shared tenant, and for guests, it takes a common space or the same human behind both.',
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
      summary: 'Change the name or metadata of the caller, or of an agent it sponsors',
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
        'Keys and streams end at once. Events remain, with the names of their speakers. The last admin of a tenant ' +
        'with other members must make one of them an admin first.',
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
        'What was made with the old key stays. With `revoke_tokens`, everything ends that was made with any credential ' +
        'of the actor: tokens, agent codes and invites are revoked, webhooks disabled and agents stopped. The new key of ' +
        'an agent has the limits of the old one, unless any are given: then it has exactly these.',
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
