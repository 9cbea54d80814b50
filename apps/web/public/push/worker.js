// Shows push notifications while no page is open, and opens their links. It has no `fetch` handler and no page is in
// its scope, so that it never serves the page.

self.addEventListener('push', (event) => {
  const { id, title, body, path } = event.data.json()
  // A redelivered notification has the same ID, and is shown once.
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, data: { path } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin)))
})

/** Focuses an existing window. */
async function open(url) {
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((window) => new URL(window.url).pathname === url.pathname)
  await (there ? there.focus() : self.clients.openWindow(url.href))
}

// A new version takes over immediately, as the worker has no state.
self.addEventListener('install', () => self.skipWaiting())
