import { randomBytes } from 'node:crypto'
import {
  apiKey,
  connect,
  DEFAULT_SCOPE,
  hourOf,
  isJsonObject,
  prefixedId,
  release,
  requireCanManage,
  requireCanOperate,
  requireCanRelease,
  requireHuman,
  requireOpenRegistration,
  requireRedeemable,
  requireRegistrationLeft,
  rotate,
  unauthenticated,
  unknown,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { presentActor, presentActorWithKey } from '../presenters/actor.js'
import { presentSpace } from '../presenters/space.js'
import { hashOf } from '../procedure/caller.js'
import { actorProcedure, humanProcedure, openProcedure, requireCaller, returns, router } from '../procedure/trpc.js'
import {
  Actor,
  ActorId,
  ActorWithKey,
  ChangeActor,
  ConnectAgent,
  Connected,
  Done,
  RegisterActor,
  Released,
  RotateKey,
} from '../schemas/actor.js'
import { ListSpaces, Space } from '../schemas/space.js'
import type { Services } from '../services.js'

/** A human needs no credential, and one that is sent is ignored; an agent is registered by its sponsor. */
const registrar = openProcedure(async (ctx, rawInput) => {
  if (!isJsonObject(rawInput) || rawInput.actor_type !== 'agent') return null
  const sponsor = await requireCaller(ctx)
  requireHuman(sponsor)
  return sponsor
})

/** Counts one more human from an address, on whichever server. Throws when there were too many. */
async function countRegistration(
  { database, registrationLimit }: Services,
  address: string | null,
  now: Date,
): Promise<void> {
  if (address === null || registrationLimit === 0) return
  const count = await database.actors.countRegistration(address, hourOf(now))
  requireRegistrationLeft(count, registrationLimit, now)
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export const actorRouter = router({
  register: registrar
    .meta({
      method: 'POST',
      path: '/api/actors',
      tag: 'Actors',
      summary: 'Register a human, or as a human an agent',
      description: 'Needs no credential for a human. For an agent, send the key of the human that will sponsor it.',
      errors: [404, 429],
    })
    .input(RegisterActor)
    .output(returns(ActorWithKey))
    .mutation(async ({ ctx: { caller: sponsor, services, address }, input }) => {
      const key = apiKey(randomBytes)
      const actor = {
        displayName: input.display_name,
        agentProfile: input.agent_profile ?? null,
        metadata: json(input.metadata),
        keyHash: hashOf(key),
        createdAt: new Date(),
      }
      const { actors } = services.database
      if (sponsor) {
        const agent = await actors.registerAgent(sponsor.actorId, {
          ...actor,
          actorId: prefixedId('agt', randomBytes),
          actorType: 'agent',
          email: null,
        })
        if (!agent) throw unauthenticated()
        return presentActorWithKey(agent, key)
      }
      if (input.code === undefined) requireOpenRegistration(services.registration)
      await countRegistration(services, address(), actor.createdAt)
      const human = {
        ...actor,
        actorId: prefixedId('usr', randomBytes),
        actorType: 'human' as const,
        email: input.email ?? null,
      }
      if (input.code === undefined) {
        return presentActorWithKey(await actors.registerHuman(DEFAULT_SCOPE, human), key)
      }
      const now = human.createdAt
      const invited = await services.database.invites.register(human, hashOf(input.code), now, (invite) =>
        requireRedeemable(invite, now),
      )
      return presentActorWithKey(invited, key)
    }),

  me: actorProcedure
    .meta({ method: 'GET', path: '/api/actors/me', tag: 'Actors', summary: 'Who the caller is' })
    .output(returns(Actor))
    .query(async ({ ctx: { caller, services } }) => {
      const actor = await services.database.actors.find(caller.actorId)
      if (!actor) throw unauthenticated()
      return presentActor(actor)
    }),

  mySpaces: actorProcedure
    .meta({ method: 'GET', path: '/api/actors/me/spaces', tag: 'Actors', summary: 'Spaces the caller participates in' })
    .input(ListSpaces)
    .output(returns(z.array(Space)))
    .query(async ({ ctx: { caller, services }, input: { status } }) => {
      const spaces = await services.database.spaces.list(caller.scope, { status, participantId: caller.actorId })
      return spaces.map(presentSpace)
    }),

  myAgents: humanProcedure
    .meta({ method: 'GET', path: '/api/actors/me/agents', tag: 'Actors', summary: 'Agents the caller sponsors' })
    .output(returns(z.array(Actor)))
    .query(async ({ ctx: { caller, services } }) => {
      const agents = await services.database.actors.agentsOf(caller.actorId)
      return agents.map(presentActor)
    }),

  change: actorProcedure
    .meta({
      method: 'PATCH',
      path: '/api/actors/{actor_id}',
      tag: 'Actors',
      summary: 'Change the name or the metadata of oneself or of an agent one sponsors',
      errors: [404],
    })
    .input(ChangeActor)
    .output(returns(Actor))
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const actor = await services.database.actors.change(input.actor_id, (actor) => {
        requireCanManage(caller, actor)
        return {
          ...(input.display_name !== undefined && { displayName: input.display_name }),
          ...(input.metadata !== undefined && { metadata: input.metadata && JSON.stringify(input.metadata) }),
        }
      })
      if (!actor) throw unknown('Actor')
      return presentActor(actor)
    }),

  delete: actorProcedure
    .meta({
      method: 'DELETE',
      path: '/api/actors/{actor_id}',
      tag: 'Actors',
      summary: 'Delete oneself, with the agents one sponsors, or one of them',
      description: 'Keys and streams end at once. What was said stays, with the names it was said under.',
      errors: [404],
    })
    .input(ActorId)
    .output(returns(Done))
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      const ended = await services.database.actors.delete(
        actor_id,
        (actor) => requireCanManage(caller, actor),
        new Date(),
      )
      if (ended.length === 0) throw unknown('Actor')
      services.revocations.announce()
      return { ok: true }
    }),

  rotateKey: actorProcedure
    .meta({
      method: 'POST',
      path: '/api/actors/{actor_id}/rotate-key',
      tag: 'Actors',
      summary: 'Replace the API key; the old one stops working at once',
      headers: { 'X-Force-Rotate': 'force', 'X-Installation-Id': 'installation_id' },
      errors: [404, 409],
    })
    .input(RotateKey)
    .output(returns(ActorWithKey))
    .mutation(async ({ ctx: { caller, services }, input: { actor_id, force, installation_id: installationId } }) => {
      const key = apiKey(randomBytes)
      const actor = await services.database.actors.change(actor_id, (actor) => {
        requireCanOperate(caller, actor)
        return { keyHash: hashOf(key), connection: rotate(actor, { installationId, force }, new Date()) }
      })
      if (!actor) throw unknown('Actor')
      services.revocations.announce()
      return presentActorWithKey(actor, key)
    }),

  connect: actorProcedure
    .meta({
      method: 'POST',
      path: '/api/actors/{actor_id}/connect',
      tag: 'Actors',
      summary: 'Connect an agent to an installation',
      extension: true,
      errors: [404, 409],
    })
    .input(ConnectAgent)
    .output(returns(Connected))
    .mutation(async ({ ctx: { caller, services }, input: { actor_id, installation_id, agent_adapter } }) => {
      const now = new Date()
      const agent = await services.database.actors.change(actor_id, (actor) => {
        requireCanOperate(caller, actor)
        return { connection: connect(actor, installation_id, now), agentAdapter: agent_adapter ?? null }
      })
      if (!agent) throw unknown('Actor')
      return { agent_id: agent.actorId, status: 'connected', installation_id, connected_at: now.toISOString() }
    }),

  release: actorProcedure
    .meta({
      method: 'POST',
      path: '/api/actors/{actor_id}/release',
      tag: 'Actors',
      summary: 'Release an agent from its installation; its key stays valid',
      errors: [404],
    })
    .input(ActorId)
    .output(returns(Released))
    .mutation(async ({ ctx: { caller, services }, input: { actor_id } }) => {
      let status: ReturnType<typeof release> = 'already_released'
      const agent = await services.database.actors.change(actor_id, (actor) => {
        requireCanRelease(caller, actor)
        status = release(actor)
        return { connection: null, agentAdapter: null }
      })
      if (!agent) throw unknown('Actor')
      return { agent_id: agent.actorId, status }
    }),
})
