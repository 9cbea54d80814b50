// Shows push notifications while no page is visible, and opens their links. It has no `fetch` handler and no page is in
// its scope, so that it never serves the page.

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data.json()))
})

/** Replaces the account's notification of the same place. It alerts again only for a message that was not shown there yet. */
async function show({ id, actor_id: actorId, title, body, path, latest }) {
  const tag = `${actorId} ${path}`
  const [shown] = await self.registration.getNotifications({ tag })
  const data = { path, key: latest ?? id, actorId }
  const renotify = shown?.data.key !== data.key
  await self.registration.showNotification(title, { body, icon: '/icons/192.png', tag, renotify, data })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path, actorId } = event.notification.data
  event.waitUntil(open(new URL(path, self.location.origin), actorId))
})

/** Focuses a window that is there, or else any window of the page, which then goes there as the account. */
async function open(url, actorId) {
  if (url.origin !== self.location.origin) return
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const windows = all.filter((window) => !/^\/(docs|api|openapi)/.test(new URL(window.url).pathname))
  const there = windows.find((window) => new URL(window.url).pathname === url.pathname) ?? windows[0]
  if (!there) return self.clients.openWindow(url.href)
  await there.focus()
  there.postMessage({ type: 'open', path: url.pathname, actorId })
}

// A new version takes over immediately, as the worker has no state.
self.addEventListener('install', () => self.skipWaiting())
