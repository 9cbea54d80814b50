import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useMyAgents } from './agent'

export type Webhook = RouterOutputs['webhook']['list'][number]
export type WebhookDetails = RouterOutputs['webhook']['get']
export type WebhookAttempt = WebhookDetails['attempts'][number]
export type WebhookDraft = RouterInputs['webhook']['create']
export type WebhookChange = RouterInputs['webhook']['change']

const WEBHOOKS = ['webhooks'] as const

/** How often it is looked how far they are: all of them, and one that somebody watches. */
const LIST_EVERY_MS = 15_000
const ONE_EVERY_MS = 3_000

/** Whose webhooks: `own` are those of this account and of its agents, `tenant` all that an admin may see. */
export type WebhookReach = 'own' | 'tenant'

/** Webhooks, the oldest first. */
export function useWebhooks(reach: WebhookReach) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...WEBHOOKS, reach],
    queryFn: ({ signal }) => client.webhook.list.query({ tenant: reach === 'tenant' }, { signal }),
    refetchInterval: LIST_EVERY_MS,
  })
}

/** One webhook, with its last attempts. */
export function useWebhook(webhookId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...WEBHOOKS, 'one', webhookId],
    queryFn: ({ signal }) => client.webhook.get.query({ webhook_id: webhookId }, { signal }),
    refetchInterval: ONE_EVERY_MS,
  })
}

/** Whether this account may do more with a webhook than look at it and delete it: it is its own, or of its agent. */
export function useIsOwnWebhook(ownerId: string | undefined): boolean {
  const { account } = useSession()
  const { data: agents } = useMyAgents()
  return ownerId === account.actorId || (agents?.some(({ actor_id }) => actor_id === ownerId) ?? false)
}

export function useCreateWebhook() {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (draft: WebhookDraft) => client.webhook.create.mutate(draft),
    onSuccess,
    // It has a secret in it, which nothing is to remember.
    gcTime: 0,
  })
}

export function useChangeWebhook(webhookId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (change: Omit<WebhookChange, 'webhook_id'>) =>
      client.webhook.change.mutate({ ...change, webhook_id: webhookId }),
    onSuccess,
  })
}

export function useRotateWebhookSecret(webhookId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: () => client.webhook.rotateSecret.mutate({ webhook_id: webhookId }),
    onSuccess,
    gcTime: 0,
  })
}

/** Sends a request that says nothing, and tells what became of it. */
export function useTestWebhook(webhookId: string) {
  const { client } = useSession()
  const onSettled = useRefresh()
  return useMutation({ mutationFn: () => client.webhook.test.mutate({ webhook_id: webhookId }), onSettled })
}

export function useReplayWebhook(webhookId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (since: string) => client.webhook.replay.mutate({ webhook_id: webhookId, since }),
    onSuccess,
  })
}

export function useDeleteWebhook(webhookId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.webhook.delete.mutate({ webhook_id: webhookId }),
    // What is gone is not to be asked for again.
    onSuccess: () =>
      cache.invalidateQueries({ queryKey: WEBHOOKS, predicate: ({ queryKey }) => queryKey[1] !== 'one' }),
  })
}

function useRefresh() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: WEBHOOKS })
}
