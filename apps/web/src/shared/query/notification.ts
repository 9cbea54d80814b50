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

/** How often it is looked whether an address was confirmed meanwhile. */
const UNCONFIRMED_INTERVAL_MS = 5_000

/** How this account is told of what waits while it is away. */
export const useNotifications = () =>
  useRead([...NOTIFICATIONS, 'settings'], (client, how) => client.notification.get.query(undefined, how), {
    refetchInterval: ({ state: { data } }) =>
      data?.channels.some(({ verified }) => !verified) ? UNCONFIRMED_INTERVAL_MS : false,
  })

/** Where the push service takes messages for this browser; null if it takes none. */
export const useEndpointHere = () => useRead(HERE, endpointHere, { staleTime: 0 })

/** An address ends with the credential that it was given with, and a space may be told of as all of them are. */
const after = refresh(NOTIFICATIONS, CREDENTIALS, SPACES)

export const useChangeNotifications = () =>
  useChange((client, change: NotificationChange) => client.notification.set.mutate(change), after)

/** Has this account told in this browser, with the key of the server. */
export const useTellHere = () => useChange((client, key: string) => subscribeHere(client, key), after)

export const useRemoveChannel = () =>
  useChange((client, channelId: string) => client.notification.removeChannel.mutate({ channel_id: channelId }), after)
