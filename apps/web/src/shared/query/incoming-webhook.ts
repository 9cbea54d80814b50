import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { refresh, SECRET, useChange, useRead } from './call'

export type IncomingWebhook = RouterOutputs['incomingWebhook']['list'][number]
export type IncomingWebhookWithSecret = RouterOutputs['incomingWebhook']['create']
export type IncomingDelivery = RouterOutputs['incomingWebhook']['get']['deliveries'][number]

const incomingOf = (spaceId: string) => ['incoming', spaceId] as const

/** The refetch interval of the deliveries while they are shown. */
const DELIVERY_INTERVAL_MS = 3_000

/** Returns the incoming webhooks of a space, oldest first. */
export const useIncomingWebhooks = (spaceId: string) =>
  useRead(incomingOf(spaceId), (client, how) => client.incomingWebhook.list.query({ space_id: spaceId }, how))

/** Returns an incoming webhook with its last deliveries. */
export const useIncomingWebhook = (spaceId: string, incoming_webhook_id: string) =>
  useRead(
    [...incomingOf(spaceId), incoming_webhook_id],
    (client, how) => client.incomingWebhook.get.query({ space_id: spaceId, incoming_webhook_id }, how),
    { refetchInterval: DELIVERY_INTERVAL_MS },
  )

export const useCreateIncomingWebhook = (spaceId: string) =>
  useChange(
    (client, draft: Omit<RouterInputs['incomingWebhook']['create'], 'space_id'>) =>
      client.incomingWebhook.create.mutate({ ...draft, space_id: spaceId }),
    refresh(incomingOf(spaceId)),
    SECRET,
  )

export const useChangeIncomingWebhook = ({ space_id, incoming_webhook_id }: IncomingWebhook) =>
  useChange(
    (client, disabled: boolean) => client.incomingWebhook.change.mutate({ space_id, incoming_webhook_id, disabled }),
    refresh(incomingOf(space_id)),
  )

export const useRotateIncomingSecret = ({ space_id, incoming_webhook_id }: IncomingWebhook) =>
  useChange(
    (client) => client.incomingWebhook.rotateSecret.mutate({ space_id, incoming_webhook_id }),
    refresh(incomingOf(space_id)),
    SECRET,
  )

export const useDeleteIncomingWebhook = ({ space_id, incoming_webhook_id }: IncomingWebhook) =>
  useChange(
    (client) => client.incomingWebhook.delete.mutate({ space_id, incoming_webhook_id }),
    refresh(incomingOf(space_id)),
  )
