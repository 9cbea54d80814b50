// Shows what the server sends while no page is open, and opens where it leads. It has no `fetch`, and no page is in its
// scope: nothing of the page ever comes from here.

self.addEventListener('push', (event) => {
  const { id, title, body, path } = event.data.json()
  // What comes twice has the same id, and is shown once.
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, data: { path } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin)))
})

/** A window that is there already comes to the front. */
async function open(url) {
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((window) => new URL(window.url).pathname === url.pathname)
  await (there ? there.focus() : self.clients.openWindow(url.href))
}

// A newer one takes over at once: it holds nothing that an older one has begun.
self.addEventListener('install', () => self.skipWaiting())
