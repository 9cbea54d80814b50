import type { Client, RouterInputs, RouterOutputs } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { allowHere, endpointHere, forbidHere, subscribeHere } from '../browser/push'
import { useSession } from '../session/session'
import { refresh, useChange, useRead } from './call'
import { CREDENTIALS } from './credential'
import { SPACES } from './space-cache'

export type Notifications = RouterOutputs['notification']['get']
export type Channel = Notifications['channels'][number]
export type NotificationChange = RouterInputs['notification']['set']

const NOTIFICATIONS = ['notifications'] as const
const SETTINGS = [...NOTIFICATIONS, 'settings'] as const
const HERE = [...NOTIFICATIONS, 'here'] as const

/** The age at which settings are read again for a notification. */
const STALE_MS = 5 * 60_000
/** The refetch interval while an address is unverified. */
const UNCONFIRMED_INTERVAL_MS = 5_000

/** Returns the notification settings of this account. */
export const useNotifications = () =>
  useRead(SETTINGS, (client, how) => client.notification.get.query(undefined, how), {
    refetchInterval: ({ state: { data } }) =>
      data?.channels.some(({ verified }) => !verified) ? UNCONFIRMED_INTERVAL_MS : false,
  })

/** Reads the settings once in a while, where no component shows them. */
export const readNotifications = (cache: QueryClient, client: Client): Promise<Notifications> =>
  cache.fetchQuery({ queryKey: SETTINGS, queryFn: () => client.notification.get.query(), staleTime: STALE_MS })

/** Returns the push endpoint of this browser; null without a subscription. */
export const useEndpointHere = () => useRead(HERE, endpointHere, { staleTime: 0 })

/** Credentials list channels as ending with them, and spaces follow the default level. */
const after = refresh(NOTIFICATIONS, CREDENTIALS, SPACES)

export const useChangeNotifications = () =>
  useChange((client, change: NotificationChange) => client.notification.set.mutate(change), after)

/** Turns on notifications of the account in this browser; also by push, if the server has a key. */
export function useTurnOnHere() {
  const { actorId } = useSession().account
  return useChange(async (client, pushKey: string | null) => {
    await allowHere(actorId)
    if (pushKey !== null) await subscribeHere(client, pushKey)
  }, after)
}

/** Turns off notifications of the account in this browser, and removes its channel if it has one. */
export function useTurnOffHere() {
  const { actorId } = useSession().account
  return useChange(async (client, channelId: string | undefined) => {
    forbidHere(actorId)
    if (channelId !== undefined) await client.notification.removeChannel.mutate({ channel_id: channelId })
  }, after)
}

export const useRemoveChannel = () =>
  useChange((client, channelId: string) => client.notification.removeChannel.mutate({ channel_id: channelId }), after)
