import type { Client } from '@collab-spaces/client'
import { deviceName } from './device-name'

/** Shows notices while no page is open. No page is in its scope, so it never stands between one and the server. */
const WORKER = '/push/worker.js'
const SCOPE = '/push/'

/** Whether this browser can be told: over https, or at this machine, and where it has what that takes. */
export const canBeTold = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Whether its owner has forbidden notices of this site. Only they can allow them again. */
export const isBlocked = (): boolean => canBeTold() && Notification.permission === 'denied'

/** Where the push service takes messages for this browser; null if nobody in it is told. */
export async function endpointHere(): Promise<string | null> {
  return (await subscriptionHere())?.endpoint ?? null
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!canBeTold()) return null
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks the person at this browser, if they have not said yes, and has the server tell them here. */
export async function subscribeHere(client: Client, key: string) {
  const { endpoint, keys } = (await subscribed(key)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  return client.notification.subscribe.mutate({
    endpoint: endpoint ?? '',
    keys: { p256dh, auth },
    name: deviceName(navigator.userAgent),
  })
}

async function subscribed(key: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
  await becomeActive(registration)
  const applicationServerKey = bytesOf(key)
  const before = await registration.pushManager.getSubscription()
  // Made for another server key, no message of this one comes through.
  if (before && !isSame(before.options.applicationServerKey, applicationServerKey)) await before.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

function becomeActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting
  if (active || !coming) return Promise.resolve()
  return new Promise((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve()
      if (coming.state === 'redundant') reject(new Error('the worker was not installed'))
    })
  })
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function isSame(buffer: ArrayBuffer | null, bytes: Uint8Array): boolean {
  if (buffer === null) return false
  const others = new Uint8Array(buffer)
  return others.length === bytes.length && others.every((byte, at) => byte === bytes[at])
}

/**
 * Ends it for an account that signs out here: nobody is to read on this screen what waits for them. If nobody else is
 * told here, the browser itself forgets it, also without the server.
 */
export async function stopTellingHere(client: Client, isLast: boolean): Promise<void> {
  const subscription = await subscriptionHere()
  if (!subscription) return
  if (isLast) await subscription.unsubscribe()
  const { channels } = await client.notification.get.query()
  const channel = channels.find(({ address }) => address === subscription.endpoint)
  if (channel) await client.notification.removeChannel.mutate({ channel_id: channel.channel_id })
}
