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

/** Whether an account shows notifications in this browser: by push, and from its open tabs, which need no push service. */
const KEY = (actorId: string) => `spaces.notifies ${actorId}`

/** Returns whether this browser shows notifications of an account while a tab is open. */
export const notifiesHere = (actorId: string): boolean =>
  'Notification' in window &&
  Notification.permission === 'granted' &&
  window.localStorage.getItem(KEY(actorId)) !== null

/** Asks for the permission to show notifications of an account. Throws if it is refused. */
export async function allowHere(actorId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('notifications are not allowed')
  window.localStorage.setItem(KEY(actorId), 'on')
  await workerHere()
}

export const forbidHere = (actorId: string): void => window.localStorage.removeItem(KEY(actorId))

/** The types of browsers lack `renotify`. */
interface ShownOptions extends NotificationOptions {
  readonly renotify: boolean
}

/** Shows a notification of a hidden tab, by the worker that also shows those of the push service. */
export async function showHere(title: string, options: ShownOptions): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await registration?.showNotification(title, { icon: '/icons/192.png', ...options })
}

/** What a clicked notification opens, and as which account. */
interface Opened {
  readonly type: string
  readonly path: string
  readonly actorId: string
}

/** Calls the listener when a notification is clicked. Returns an unsubscribe function. */
export function onOpened(listener: (opened: Opened) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {}
  const onMessage = ({ data }: MessageEvent<Opened>) => data.type === 'open' && listener(data)
  navigator.serviceWorker.addEventListener('message', onMessage)
  return () => navigator.serviceWorker.removeEventListener('message', onMessage)
}

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

async function workerHere(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
  await becomeActive(registration)
  return registration
}

async function subscribed(key: string): Promise<PushSubscription> {
  const registration = await workerHere()
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
