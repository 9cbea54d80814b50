import { randomBytes } from 'node:crypto'
import { databaseClock, type WebhookRecord, type WebhookStart } from '@collab-spaces/db'
import {
  DomainError,
  prefixedId,
  requireAdmin,
  requireAllowedHost,
  requireCanChangeWebhook,
  requireCanDeleteWebhook,
  requireCanHearInbox,
  requireCanSeeWebhook,
  requireScope,
  requireTarget,
  typesOf,
  unknown,
  webhookUrl,
} from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import { z } from 'zod'
import {
  presentAttempt,
  presentWebhook,
  presentWebhookDetails,
  presentWebhookWithSecret,
} from '../presenters/webhook.js'
import type { Caller } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import {
  ChangeWebhook,
  CreateWebhook,
  ListWebhooks,
  ReplayWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDetails,
  WebhookId,
  WebhookWithSecret,
} from '../schemas/webhook.js'
import type { Services } from '../services.js'
import { allowedHosts, elsewhere, requireSender } from '../webhooks.js'

export const webhookRouter = router({
  create: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/webhooks',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Create a webhook; its secret is shown only once',
      description:
        '`url` has up to 2,048 characters. Of a `space_id`, or `inbox_of` the caller or an agent it sponsors ' +
        '(agents: only their own inbox). `types` are by default all that apply; `payload` is `thin` (ids, the ' +
        'default) or `full`; `from` is `now` by default, `beginning`, or an event id, to start after. At most 20 of ' +
        'an actor, 200 of a tenant and of a space: 409. Nothing is sent until [the receiver confirms](#webhooks).',
      returns: 'webhook with `secret`',
      errors: [404, 409],
      example: { url: 'https://example.org/hook', space_id: 'plans', payload: 'full' },
    })
    .input(CreateWebhook)
    .output(WebhookWithSecret)
    .mutation(async ({ ctx: { caller, services, slot }, input }) => {
      requireScope(caller.limits, 'read')
      requireTarget(caller, input)
      const types = typesOf(input.space_id !== undefined, input.types)
      const url = webhookUrl(input.url)
      const sender = requireSender(services)
      requireAllowedHost(await allowedHosts(services, caller), url)
      await elsewhere(services, slot, () => sender.requireAllowed(url))
      const fields = {
        webhookId: prefixedId('whk', randomBytes),
        url: url.href,
        spaceId: input.space_id ?? null,
        inboxOf: input.inbox_of ?? null,
        types,
        payload: input.payload ?? 'thin',
        limits: caller.limits,
        createdAt: databaseClock.now(),
      } as const
      const from = startOf(input.from ?? 'now')
      if (input.space_id !== undefined) await requireSpace(services, caller, input.space_id)
      if (input.inbox_of !== undefined) await requireInbox(services, caller, input.inbox_of)
      const webhook = await services.database.webhooks.create(caller, fields, from)
      const record = await askReceiver(services, webhook, slot)
      return presentWebhookWithSecret(record, sender.secretOf(webhook), caller)
    }),

  list: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'row',
      route: 'GET /api/webhooks',
      tags: ['Webhooks', 'Extensions'],
      summary: "List the caller's webhooks and those of its agents, or all of the tenant, oldest first",
      returns: 'webhooks of the caller and its agents, or for admins with `tenant=true` all of the tenant',
    })
    .input(ListWebhooks)
    .output(z.array(Webhook))
    .query(async ({ ctx: { caller, services }, input: { tenant } }) => {
      if (tenant) requireAdmin(caller)
      const webhooks = await services.database.webhooks.list(caller, { ofTenant: tenant })
      return RenderedOutput.list(webhooks, (webhook) => presentWebhook(webhook, caller))
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'row',
      route: 'GET /api/webhooks/{webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Get a webhook with its last attempts',
      returns: 'webhook with its last 20 `attempts`, newest first',
    })
    .input(WebhookId)
    .output(WebhookDetails)
    .query(async ({ ctx: { caller, services }, input: { webhook_id } }) => {
      const webhook = await findWebhook(services, caller, webhook_id)
      requireCanSeeWebhook(caller, webhook)
      return presentWebhookDetails(webhook, await services.database.webhooks.attempts(webhook), caller)
    }),

  change: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'PATCH /api/webhooks/{webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Change the URL of a webhook, what it sends, and whether it is enabled',
      description:
        'The same `url` again is tried at once. Added `types` start now. A webhook that is enabled again resumes.',
      returns: 'webhook',
      errors: [409],
      example: { types: ['events.appended'] },
    })
    .input(ChangeWebhook)
    .output(Webhook)
    .mutation(async ({ ctx: { caller, services, slot }, input: { webhook_id, disabled, types, payload, url } }) => {
      requireScope(caller.limits, 'read')
      const webhook = await findWebhook(services, caller, webhook_id)
      requireCanChangeWebhook(caller, webhook)
      const target = url === undefined ? undefined : webhookUrl(url)
      if (target) {
        requireAllowedHost(webhook.allowedHosts, target)
        await elsewhere(services, slot, () => requireSender(services).requireAllowed(target))
      }
      const change = {
        url: target?.href,
        types: types && typesOf(webhook.spaceId !== null, types),
        payload,
        disabled: disabledOf(webhook, disabled),
      }
      const changed = await services.database.webhooks.change(caller, webhook_id, mayChange(caller), change)
      const isAsked = changed.verifiedAt === null && (target !== undefined || change.disabled === null)
      return presentWebhook(isAsked ? await askReceiver(services, changed, slot) : changed, caller)
    }),

  delete: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'DELETE /api/webhooks/{webhook_id}',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Delete a webhook',
    })
    .input(WebhookId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { webhook_id } }) => {
      await services.database.webhooks.delete(caller, webhook_id, (webhook) => requireCanDeleteWebhook(caller, webhook))
      return { ok: true }
    }),

  rotateSecret: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/webhooks/{webhook_id}/rotate-secret',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Replace the secret of a webhook; it is shown only once',
      description: 'For 24 hours, both sign.',
      returns: 'webhook with `secret`',
      errors: [409],
    })
    .input(WebhookId)
    .output(WebhookWithSecret)
    .mutation(async ({ ctx: { caller, services }, input: { webhook_id } }) => {
      const sender = requireSender(services)
      const { webhooks } = services.database
      const webhook = await webhooks.rotate(caller, webhook_id, mayChange(caller), databaseClock.now())
      return presentWebhookWithSecret(webhook, sender.secretOf(webhook), caller)
    }),

  test: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/webhooks/{webhook_id}/test',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Send a test request now',
      description: 'Sends a `webhook.test` now, even if disabled; while `verified_at` is null, a `webhook.challenge`.',
      returns: 'attempt',
      errors: [409],
    })
    .input(WebhookId)
    .output(WebhookAttempt)
    .mutation(async ({ ctx: { caller, services, slot }, input: { webhook_id } }) => {
      const sender = requireSender(services)
      const webhook = await findWebhook(services, caller, webhook_id)
      requireCanChangeWebhook(caller, webhook)
      return presentAttempt(await elsewhere(services, slot, () => sender.test(webhook)), caller)
    }),

  replay: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/webhooks/{webhook_id}/replay',
      tags: ['Webhooks', 'Extensions'],
      summary: 'Move the cursor of a webhook',
      description: 'Resends from `since`, with values like `from`; `now` skips pending events.',
      returns: 'webhook',
      example: { since: 'beginning' },
    })
    .input(ReplayWebhook)
    .output(Webhook)
    .mutation(async ({ ctx: { caller, services }, input: { webhook_id, since } }) => {
      const { webhooks } = services.database
      return presentWebhook(await webhooks.replay(caller, webhook_id, mayChange(caller), startOf(since)), caller)
    }),
})

const startOf = (text: string): WebhookStart => (text === 'now' || text === 'beginning' ? text : { after: text })

const mayChange = (caller: Caller) => (webhook: WebhookRecord) => requireCanChangeWebhook(caller, webhook)

async function findWebhook({ database }: Services, caller: Caller, webhookId: string): Promise<WebhookRecord> {
  const webhook = await database.webhooks.find(caller, webhookId)
  if (!webhook) throw unknown('Webhook')
  return webhook
}

/**
 * Asks the receiver of a webhook that was just made or led elsewhere whether it wants requests. The webhook is there all
 * the same, and says what became of that; who gets no slot for it can ask for a test.
 */
async function askReceiver(services: Services, webhook: WebhookRecord, slot: Slot): Promise<WebhookRecord> {
  const sender = requireSender(services)
  await elsewhere(services, slot, () => sender.test(webhook)).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
  })
  return (await services.database.webhooks.findAsSystem(webhook)) ?? webhook
}

/** 404 if there is no such actor, 403 if the caller may not hear what comes into its inbox. */
async function requireInbox({ database }: Services, caller: Caller, actorId: string): Promise<void> {
  const actor = await database.actors.find(actorId)
  if (!actor || actor.tenantId !== caller.tenantId) throw unknown('Actor')
  requireCanHearInbox(caller, actor)
}

/** A disabled webhook keeps its reason and its time. */
function disabledOf({ disabledAt }: WebhookRecord, disabled: boolean | undefined) {
  if (disabled === undefined || disabled === (disabledAt !== null)) return undefined
  return disabled ? ({ at: databaseClock.now(), reason: 'disabled' } as const) : null
}
