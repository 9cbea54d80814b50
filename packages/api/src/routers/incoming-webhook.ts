import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import {
  apiKey,
  limitsOfAgent,
  prefixedId,
  requireCanGovern,
  requireHuman,
  requireJoinable,
  requireMaker,
  requirePeopleFit,
  requireTemplateFits,
  requireWithin,
  unknown,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { keyMaker } from '../grant.js'
import { incomingSecretOf } from '../incoming-secret.js'
import {
  presentIncomingWebhook,
  presentIncomingWebhookDetails,
  presentIncomingWebhookWithSecret,
} from '../presenters/incoming-webhook.js'
import { hashOf } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import {
  ChangeIncomingWebhook,
  CreateIncomingWebhook,
  IncomingWebhook,
  IncomingWebhookDetails,
  IncomingWebhookId,
  IncomingWebhooksOf,
  IncomingWebhookWithSecret,
} from '../schemas/incoming-webhook.js'
import { requireSender } from '../webhooks.js'

export const incomingWebhookRouter = router({
  create: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/incoming-webhooks',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Create an incoming webhook with an agent to post as; its secret is shown only once',
      description:
        'For owners, with `write` too; humans only. The agent has the `name`, the caller as its sponsor, and a key ' +
        'that may only `write` in this space. `template` is for `standard`, `people` for `github` and `slack`. At most 50 of a space: ' +
        '409.',
      returns: 'incoming webhook with `url` and `secret`',
      errors: [409],
      example: { name: 'CI', format: 'json' },
    })
    .input(CreateIncomingWebhook)
    .output(IncomingWebhookWithSecret)
    .mutation(async ({ ctx: { caller, services }, input: { space_id: spaceId, name, format, template, people } }) => {
      const sender = requireSender(services)
      requireTemplateFits(format, template)
      requirePeopleFit(format, people)
      const createdAt = databaseClock.now()
      const requested = { scopes: ['write' as const], space_ids: [spaceId] }
      const agent = {
        actorId: prefixedId('agt', randomBytes),
        actorType: 'agent' as const,
        displayName: name,
        email: null,
        agentProfile: null,
        metadata: null,
        // No request ever has this key: the server posts for the senders that know the secret.
        keyHash: hashOf(apiKey(randomBytes)),
        limits: limitsOfAgent(requested, await keyMaker(services, caller), createdAt),
        createdAt,
      }
      const webhook = await services.database.incomingWebhooks.create(
        caller,
        { agent, spaceId, format, template: template ?? null, people: people ?? {} },
        services.quotas.of,
        (space, by) => {
          requireCanGovern(by, space.owners)
          requireHuman(by)
          requireJoinable(space.status)
        },
      )
      const secret = incomingSecretOf(sender, webhook)
      return presentIncomingWebhookWithSecret(webhook, secret, services.signIn.site())
    }),

  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/incoming-webhooks',
      tags: ['Webhooks', 'Extensions'],
      summary: 'List the incoming webhooks of a space, oldest first',
      returns: 'incoming webhooks',
    })
    .input(IncomingWebhooksOf)
    .output(z.array(IncomingWebhook))
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      await requireSpace(services, caller, space_id)
      return (await services.database.incomingWebhooks.list(caller, space_id)).map(presentIncomingWebhook)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Get an incoming webhook with its last deliveries',
      returns: 'incoming webhook with its last 20 `deliveries`, newest first',
    })
    .input(IncomingWebhookId)
    .output(IncomingWebhookDetails)
    .query(async ({ ctx: { caller, services }, input: { space_id, incoming_webhook_id } }) => {
      await requireSpace(services, caller, space_id)
      const webhook = await services.database.incomingWebhooks.find(caller, space_id, incoming_webhook_id)
      if (!webhook) throw unknown('Incoming webhook')
      return presentIncomingWebhookDetails(webhook)
    }),

  change: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'PATCH /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Change the template or the people of an incoming webhook, and whether it is enabled',
      description: 'For owners. A null `template` removes it; `people` replaces all.',
      returns: 'incoming webhook',
      example: { disabled: true },
    })
    .input(ChangeIncomingWebhook)
    .output(IncomingWebhook)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { space_id, incoming_webhook_id, template, people, disabled } = input
      const { incomingWebhooks } = services.database
      const disabledAt = disabled === undefined ? undefined : disabled ? databaseClock.now() : null
      const change = { template, people, disabledAt }
      const changed = await incomingWebhooks.change(
        caller,
        space_id,
        incoming_webhook_id,
        (webhook, by, owners) => {
          requireCanGovern(by, owners)
          requireTemplateFits(webhook.format, template)
          requirePeopleFit(webhook.format, people)
        },
        change,
      )
      return presentIncomingWebhook(changed)
    }),

  rotateSecret: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}/rotate-secret',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Replace the secret of an incoming webhook; it is shown only once',
      description: 'For the human who made it, as an owner, with `write` too. The old secret ends at once.',
      returns: 'incoming webhook with `url` and `secret`',
      errors: [409],
    })
    .input(IncomingWebhookId)
    .output(IncomingWebhookWithSecret)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, incoming_webhook_id } }) => {
      const sender = requireSender(services)
      const { incomingWebhooks } = services.database
      const webhook = await incomingWebhooks.rotate(
        caller,
        space_id,
        incoming_webhook_id,
        (rotated, by, owners) => {
          requireCanGovern(by, owners)
          requireMaker(by, rotated)
          // The secret opens what the agent may do.
          requireWithin({ scopes: ['write'], spaceIds: [space_id], expiresAt: null }, caller.limits)
        },
        databaseClock.now(),
      )
      return presentIncomingWebhookWithSecret(webhook, incomingSecretOf(sender, webhook), services.signIn.site())
    }),

  delete: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'DELETE /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Delete an incoming webhook',
      description: 'For owners. Its agent stays, and can post nothing more; its sponsor can delete it.',
    })
    .input(IncomingWebhookId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, incoming_webhook_id } }) => {
      await services.database.incomingWebhooks.delete(caller, space_id, incoming_webhook_id, (_webhook, by, owners) =>
        requireCanGovern(by, owners),
      )
      return { ok: true }
    }),
})
