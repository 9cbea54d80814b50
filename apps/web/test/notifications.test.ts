import { type Actor, eventually, query, useProgram } from '@collab-spaces/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { Requests } from './support/requests.js'
import { sightIsTold, tellSight } from './support/sight.js'
import { useMail } from './support/smtp.js'

const PATH = '/api/actors/me/notifications'
const SERVER_KEY = '5a'.repeat(32)
/** The verification emails per address and day. */
const LINKS_A_DAY = 5

describeInBrowser('notifications by email', () => {
  const mail = useMail()
  const server = useProgram(Object.assign(mail.settings, { REGISTRATION_LIMIT: '0', SERVER_KEY }))
  const browser = useBrowser(server)

  it('start after verification, and end by the unsubscribe link', async () => {
    const ada = await server.registerHuman('Ada')
    const { page } = await browser.comeIn(ada, '/')
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Notifications' }).click()
    const section = page.getByRole('list', { name: 'Email' })
    await section.getByText('No address').waitFor()
    await section.getByRole('button', { name: 'Add…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Email' })
    await dialog.getByLabel('Address').fill('ada@example.org')
    await page.keyboard.press('Enter')
    await section.getByText('Not confirmed yet').waitFor()
    const change = section.getByRole('button', { name: 'Change…' })
    await expect.poll(() => change.evaluate((button) => button === document.activeElement)).toBe(true)

    // The dialog shows the refusal beyond the limit.
    for (let sent = 1; sent < LINKS_A_DAY; sent++) {
      await server.as(ada).put(PATH, { email: 'ada@example.org' }).expect(200)
    }
    await change.click()
    await dialog.getByRole('button', { name: 'Resend link' }).click()
    await dialog.getByRole('alert').getByText('was sent too many messages today').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const { text } = await eventually(() => mail.server.messages[0])
    const link = /\S+\/notifications\/verify\/\S+/.exec(text)?.[0] ?? ''
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    await section.getByText('Confirmed', { exact: true }).waitFor()

    await change.click()
    await dialog.getByRole('button', { name: 'Remove address' }).click()
    await section.getByText('No address').waitFor()
    expect(await server.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
    await expect
      .poll(() => section.getByRole('button', { name: 'Add…' }).evaluate((button) => button === document.activeElement))
      .toBe(true)
  })
})

describeInBrowser('an account with an open tab', () => {
  const mail = useMail()
  const server = useProgram(Object.assign(mail.settings, { REGISTRATION_LIMIT: '0', SERVER_KEY }))
  const browser = useBrowser(server)

  /** Opens a tab of Ada's. Returns functions that mention her, and that wait for her email. */
  async function tabOf(place: string) {
    const ada = await server.registerHuman('Ada')
    // Her own agent: emails contain no text of strangers.
    const bob = await server.registerAgent(ada, 'Bob')
    const path = await server.openSpace(ada)
    const person = await browser.person()
    const requests = new Requests(person.context)
    await person.context.addInitScript(sightIsTold)
    await person.open(place)
    await person.signIn(ada)
    const waits = person.page.getByRole('navigation').getByTitle('Waiting for you')
    const mention = async (text: string, count: number) => {
      const event = { text, metadata: { mentions: [ada.actor_id] } }
      const { event_id } = await server.as(bob).post(`${path}/response`, event).expect(200)
      // The tab has fetched it by then.
      await waits.getByText(String(count), { exact: true }).waitFor({ state: 'attached' })
      const wasDelivered = `
        SELECT FROM events e JOIN read_cursors c USING (tenant_id, space_id)
        WHERE e.event_id = $1 AND c.actor_id = $2 AND c.delivered_through >= e.position`
      return async () => (await query(server.connection, wasDelivered, [event_id, ada.actor_id])).rowCount === 1
    }
    const isTold = async () => {
      const email = `${ada.actor_id}@example.org`
      await server.as(ada).put(PATH, { email, delay_minutes: 0 }).expect(200)
      const sent = (part: string) =>
        eventually(() => mail.server.messages.find(({ to, text }) => to === email && text.includes(part))?.text)
      const link = /\S+\/notifications\/verify\/\S+/.exec(await sent('/notifications/verify/'))?.[0] ?? ''
      expect((await fetch(link, { method: 'POST' })).status).toBe(200)
      return sent('You have unread events')
    }
    const see = async (sight: string) => {
      await person.page.evaluate(tellSight, sight)
      // A fetch of a visible tab counts as seen when it is answered.
      await requests.answered()
    }
    return { mention, isTold, see }
  }

  it.each(['/', '/inbox'])('is notified of events that were not visible, at %s', async (place) => {
    const { mention, isTold, see } = await tabOf(place)
    const first = await mention('the first', 1)
    await eventually(first)
    await see('hidden')
    const second = await mention('the second', 2)
    expect(await second()).toBe(false)
    await see('visible')
    await eventually(second)
    await see('hidden')
    await mention('the third', 3)
    const message = await isTold()
    expect(message).toContain('Bob (agent): the third')
    expect(message).not.toContain('Bob (agent): the second')
  })

  it('is notified of entries that another page only counts', async () => {
    const { mention, isTold } = await tabOf('/notifications')
    await mention('the first', 1)
    expect(await isTold()).toContain('Bob (agent): the first')
  })
})

describeInBrowser('notifications', () => {
  const server = useProgram({
    REGISTRATION_LIMIT: '0',
    SERVER_KEY,
    WEBHOOK_NETWORKS: 'loopback',
    PUSH_HOSTS: '127.0.0.1',
  })
  const browser = useBrowser(server)
  let ada: Actor
  let person: Person
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
  })

  it("say that the server sends no email, and set quiet hours in the reader's time zone", async () => {
    person = await browser.comeIn(ada, '/notifications', { timezoneId: 'America/New_York' })
    const { page } = person
    await page.getByText('This server sends no email').waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'What and when' })
    await dialog
      .getByLabel('What', { exact: true })
      .selectOption('Mentions, replies, conversations, decisions, and threads that you participate in')
    await dialog.getByLabel('Email', { exact: true }).selectOption('After an hour')
    await dialog.getByLabel('Quiet hours').check()
    await dialog.getByLabel('From').fill('21:30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Quiet from 21:30 to 07:00').waitFor()
    await page.getByText('in America/New York').waitFor()
    expect(await server.as(ada).get(PATH).expect(200)).toMatchObject({
      notices: 'all',
      delay_minutes: 60,
      push_delay_minutes: 0,
      quiet_hours: { from: '21:30', until: '07:00' },
      time_zone: 'America/New_York',
    })
  })

  it('explain what to do if this browser blocks them, and end in other browsers', async () => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const phone = { endpoint: 'http://127.0.0.1:9/phone', keys, name: 'Chrome on Android' }
    await server.as(ada).post(`${PATH}/channels`, phone).expect(200)
    person = await browser.person()
    await person.context.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
    })
    await person.open('/notifications')
    await person.signIn(ada)
    const { page } = person
    await page.getByText('Blocks notifications.').waitFor()
    await page.getByRole('button', { name: 'Remove Chrome on Android' }).click()
    await page.getByRole('button', { name: 'Remove Chrome on Android' }).waitFor({ state: 'detached' })
    expect(await server.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  })

  it('are turned on and off in this browser, shown by its worker, and end on sign-out', async () => {
    person = await browser.person()
    const { page, context } = person
    await context.addInitScript(subscribeWithoutService)
    await person.open('/notifications')
    await person.signIn(ada)
    const section = page.getByRole('list', { name: 'Browsers' })
    const channels = async () => (await server.as(ada).get(PATH).expect(200)).channels
    await section.getByRole('button', { name: 'Turn on' }).click()
    await section.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(await channels()).toMatchObject([{ kind: 'push', name: 'Chrome on Linux', verified: true }])

    const [worker] = context.serviceWorkers()
    expect(worker?.url()).toBe(`${server.url}/push/worker.js`)
    const { headers } = await fetch(`${server.url}/push/worker.js`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-cache')
    const { actor_id } = ada
    const notice = {
      id: 'one',
      title: 'You have unread events in plans',
      body: 'plans: 1 event',
      path: '/s/plans',
      actor_id,
    }
    await worker?.evaluate(rememberWhatIsShown)
    await push(context, page, server.url, notice)
    await push(context, page, server.url, notice)
    // A redelivered notification has the same tag, so that the browser shows it once, and alerts once.
    const shown = { title: notice.title, body: notice.body, icon: '/icons/192.png', tag: `${actor_id} /s/plans` }
    const data = { path: '/s/plans', key: 'one', actorId: actor_id }
    await expect
      .poll(() => worker?.evaluate(() => Reflect.get(self, 'shown')))
      .toEqual([
        { ...shown, renotify: true, data },
        { ...shown, renotify: false, data },
      ])
    const documents = await context.newPage()
    await documents.goto(`${server.url}/docs`)
    await worker?.evaluate(click, '/inbox')
    await page.waitForURL('**/inbox')
    await documents.close()
    await page.goBack()
    // The worker controls no page.
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()

    await section.getByRole('button', { name: 'Turn off' }).click()
    await section.getByRole('button', { name: 'Turn on' }).click()
    await section.getByRole('button', { name: 'Turn off' }).waitFor()
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await eventually(async () => (await channels()).length === 0)
  })

  it('open as the account that they are for', async () => {
    const bob = await server.registerHuman('Bob')
    person = await browser.comeIn(ada, '/')
    const { page } = person
    await page.evaluate(
      (account) => {
        const accounts = JSON.parse(sessionStorage.getItem('spaces.accounts') ?? '[]')
        sessionStorage.setItem('spaces.accounts', JSON.stringify([...accounts, account]))
      },
      { actorId: bob.actor_id, name: 'Bob', kind: 'human', token: bob.api_key, isRemembered: false },
    )
    await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
    await eventually(async () => {
      const data = { type: 'open', path: '/inbox', actorId: bob.actor_id }
      await page.evaluate((data) => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data })), data)
      return page.url().endsWith('/inbox')
    })
    await page.getByRole('button', { name: 'Account: Bob' }).waitFor()
  })

  /** A subscription as from a push service, which headless Chromium cannot reach. */
  async function push(context: BrowserContext, page: Page, origin: string, notice: object): Promise<void> {
    const session = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const id = registrations.find(({ scopeURL }) => scopeURL === `${origin}/push/`)?.registrationId
        if (id !== undefined) resolve(id)
      }),
    )
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(notice) })
    await session.detach()
  }
})

/** Headless Chromium allows no notifications, so that this records them instead. */
function rememberWhatIsShown(): void {
  const shown: object[] = []
  const showNotification = async (title: string, options: NotificationOptions) => {
    shown.push({ title, ...options })
  }
  const getNotifications = async () => shown.slice(-1)
  Object.assign(self, { shown })
  const registration = Reflect.get(self, 'registration')
  Object.defineProperty(registration, 'showNotification', { value: showNotification })
  Object.defineProperty(registration, 'getNotifications', { value: getNotifications })
}

/** Clicks a notification. Only a real click may focus a window. */
function click(path: string): void {
  const Window: { prototype: object } = Reflect.get(self, 'WindowClient')
  Object.assign(Window.prototype, { focus: async () => {} })
  const notification = { close: () => {}, data: { path } }
  self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }))
}

/** Fakes the push subscription of a browser: there is no push service without the internet. */
function subscribeWithoutService(): void {
  const kept = 'test.subscribed'
  Object.assign(Notification, { requestPermission: async () => 'granted' })
  const subscription = (options: PushSubscriptionOptionsInit) => ({
    endpoint: 'http://127.0.0.1:9/here',
    options: { applicationServerKey: (options.applicationServerKey as Uint8Array).buffer },
    toJSON: () => ({
      endpoint: 'http://127.0.0.1:9/here',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
    unsubscribe: async () => {
      Reflect.deleteProperty(window, kept)
      return true
    },
  })
  Object.assign(PushManager.prototype, {
    subscribe: async (options: PushSubscriptionOptionsInit) => {
      const made = subscription(options)
      Object.assign(window, { [kept]: made })
      return made
    },
    getSubscription: async () => Reflect.get(window, kept) ?? null,
  })
}
