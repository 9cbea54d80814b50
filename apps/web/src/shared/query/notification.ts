import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { endpointHere, subscribeHere } from '../browser/push'
import { refresh, useChange, useRead } from './call'
import { CREDENTIALS } from './credential'
import { SPACES } from './space-cache'

export type Notifications = RouterOutputs['notification']['get']
export type Channel = Notifications['channels'][number]
export type NotificationChange = RouterInputs['notification']['set']

const NOTIFICATIONS = ['notifications'] as const
const HERE = [...NOTIFICATIONS, 'here'] as const

/** The refetch interval while an address is unverified. */
const UNCONFIRMED_INTERVAL_MS = 5_000

/** Returns the notification settings of this account. */
export const useNotifications = () =>
  useRead([...NOTIFICATIONS, 'settings'], (client, how) => client.notification.get.query(undefined, how), {
    refetchInterval: ({ state: { data } }) =>
      data?.channels.some(({ verified }) => !verified) ? UNCONFIRMED_INTERVAL_MS : false,
  })

/** Returns the push endpoint of this browser; null without a subscription. */
export const useEndpointHere = () => useRead(HERE, endpointHere, { staleTime: 0 })

/** Credentials list channels as ending with them, and spaces follow the default level. */
const after = refresh(NOTIFICATIONS, CREDENTIALS, SPACES)

export const useChangeNotifications = () =>
  useChange((client, change: NotificationChange) => client.notification.set.mutate(change), after)

/** Subscribes this browser for the account, with the server's key. */
export const useSubscribeHere = () => useChange((client, key: string) => subscribeHere(client, key), after)

export const useRemoveChannel = () =>
  useChange((client, channelId: string) => client.notification.removeChannel.mutate({ channel_id: channelId }), after)
