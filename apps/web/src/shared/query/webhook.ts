import type { RouterInputs, RouterOutputs, Webhook } from '@collab-spaces/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useMyAgents } from './agent'
import { refresh, SECRET, useChange, useInterval, useRead } from './call'

export type WebhookDetails = RouterOutputs['webhook']['get']

const WEBHOOKS = ['webhooks'] as const

/** The refetch intervals of active webhooks: in a list, and on its page. */
const LIST_INTERVAL_MS = 15_000
const ATTEMPT_INTERVAL_MS = 3_000
/** A webhook without attempts for this long is idle, and refetched at this interval. */
const IDLE_MS = 60_000

const isAtWork = ({ last_attempt, created_at }: Webhook): boolean =>
  Date.now() - Date.parse(last_attempt?.started_at ?? created_at) < IDLE_MS

/** `own`: webhooks of this account and its agents. `tenant`: all that an admin may see. */
export type WebhookReach = 'own' | 'tenant'

/** Returns webhooks, oldest first. */
export function useWebhooks(reach: WebhookReach) {
  const seldomMs = useInterval(IDLE_MS)
  return useRead(
    [...WEBHOOKS, reach],
    (client, how) => client.webhook.list.query({ tenant: reach === 'tenant' }, how),
    {
      refetchInterval: ({ state: { data } }) =>
        data?.some(isAtWork) ? LIST_INTERVAL_MS : data?.length ? IDLE_MS : seldomMs,
    },
  )
}

/** Returns a webhook with its last attempts. */
export const useWebhook = (webhookId: string) =>
  useRead([...WEBHOOKS, 'one', webhookId], (client, how) => client.webhook.get.query({ webhook_id: webhookId }, how), {
    refetchInterval: ({ state: { data } }) => (data && !isAtWork(data) ? IDLE_MS : ATTEMPT_INTERVAL_MS),
  })

/** Returns whether a webhook belongs to this account or its agent. Admins can only view and delete the others. */
export function useIsOwnWebhook(ownerId: string | undefined): boolean {
  const { account } = useSession()
  const { data: agents } = useMyAgents()
  return ownerId === account.actorId || (agents?.some(({ actor_id }) => actor_id === ownerId) ?? false)
}

export const useCreateWebhook = () =>
  useChange(
    (client, draft: RouterInputs['webhook']['create']) => client.webhook.create.mutate(draft),
    refresh(WEBHOOKS),
    SECRET,
  )

export const useChangeWebhook = (webhookId: string) =>
  useChange(
    (client, change: Omit<RouterInputs['webhook']['change'], 'webhook_id'>) =>
      client.webhook.change.mutate({ ...change, webhook_id: webhookId }),
    refresh(WEBHOOKS),
  )

export const useRotateWebhookSecret = (webhookId: string) =>
  useChange((client) => client.webhook.rotateSecret.mutate({ webhook_id: webhookId }), refresh(WEBHOOKS), SECRET)

/** Sends a test request, and returns its outcome. */
export function useTestWebhook(webhookId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  const mutationFn = () => client.webhook.test.mutate({ webhook_id: webhookId })
  // The list shows failed attempts, too.
  return useMutation({ mutationFn, onSettled: () => cache.invalidateQueries({ queryKey: WEBHOOKS }) })
}

export const useReplayWebhook = (webhookId: string) =>
  useChange(
    (client, since: string) => client.webhook.replay.mutate({ webhook_id: webhookId, since }),
    refresh(WEBHOOKS),
  )

export const useDeleteWebhook = (webhookId: string) =>
  useChange(
    (client) => client.webhook.delete.mutate({ webhook_id: webhookId }),
    // Does not refetch the deleted webhook.
    (cache) => cache.invalidateQueries({ queryKey: WEBHOOKS, predicate: ({ queryKey }) => queryKey[1] !== 'one' }),
  )
