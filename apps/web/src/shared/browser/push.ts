import type { Client } from '@collab-spaces/client'
import { deviceName } from './device-name'

/** The service worker that shows notifications. No page is in its scope, so that it intercepts no requests. */
const WORKER = '/push/worker.js'
const SCOPE = '/push/'

/** Returns whether this browser supports push, which needs a secure context. */
export const supportsPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Returns whether the user has blocked notifications of this site. */
export const isBlocked = (): boolean => supportsPush() && Notification.permission === 'denied'

/** Returns the push endpoint of this browser; null without a subscription. */
export async function endpointHere(): Promise<string | null> {
  return (await subscriptionHere())?.endpoint ?? null
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!supportsPush()) return null
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Subscribes this browser, asking for permission if needed, and registers the subscription on the server. */
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
  // A subscription for another server key rejects messages of this one.
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
 * Removes this browser's channel of an account that signs out. For the last account, also cancels the subscription,
 * which works without the server.
 */
export async function unsubscribeHere(client: Client, isLast: boolean): Promise<void> {
  const subscription = await subscriptionHere()
  if (!subscription) return
  if (isLast) await subscription.unsubscribe()
  const { channels } = await client.notification.get.query()
  const channel = channels.find(({ address }) => address === subscription.endpoint)
  if (channel) await client.notification.removeChannel.mutate({ channel_id: channel.channel_id })
}
