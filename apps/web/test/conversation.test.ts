import { type Actor, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, Person, useBrowser } from './support/browser.js'
import { sightIsTold, tellSight } from './support/sight.js'

const WITHIN_A_SECOND = { timeout: 1_000, interval: 50 }

describeInBrowser('a conversation', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    grace = await member('Grace')
    await member('Linus')
    await server.registerAgent(ada, 'Scout')
  })

  async function member(name: string): Promise<Actor> {
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    const actor = await server.registerHuman(name)
    await server.as(actor).post('/api/invites/redeem', { code }).expect(200)
    return actor
  }

  const talkOf = (actor: Actor, ...others: readonly Actor[]) =>
    server
      .as(actor)
      .post('/api/conversations', { actor_ids: others.map(({ actor_id }) => actor_id) })
      .expect(200)

  it('is started with several people and agents', async () => {
    const { page } = await browser.comeIn(ada, '/')
    await page.getByRole('main').getByRole('button', { name: 'New message' }).click()
    const dialog = page.getByRole('dialog', { name: 'New message' })
    const people = dialog.getByRole('group', { name: 'To' })
    await people.getByText('Linus').waitFor()
    expect(await people.locator('label').allTextContents()).toEqual(['Grace', 'Linus', 'Scout (agent)'])
    const start = dialog.getByRole('button', { name: 'Start' })
    expect(await start.isDisabled()).toBe(true)
    for (const name of ['Grace', 'Scout (agent)']) await people.getByRole('checkbox', { name }).check()
    await start.click()
    await page.waitForURL(/\/s\/conversation-/)
    await page.getByRole('heading', { level: 1, name: /Grace.*Scout|Scout.*Grace/ }).waitFor()
    await page.getByText(/^Write to /).waitFor()
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.fill('Among us')
    await field.press('Enter')
    const other = await browser.comeIn(grace, '/')
    await other.page.getByRole('list', { name: 'Waiting for you' }).getByText('Among us').waitFor()
    await other.page.getByRole('navigation').getByTitle('Waiting for you').waitFor()
  })

  it('is listed for admins without its ID', async () => {
    await talkOf(grace, await member('أمينة'))
    const { page } = await browser.comeIn(ada, '/tenant')
    const spaces = page.getByRole('list', { name: 'Private spaces' })
    await spaces.getByText('Conversation', { exact: true }).first().waitFor()
    expect(await spaces.getByText(/conversation-/).count()).toBe(0)
    // A name in another direction would reverse what follows it.
    await spaces.getByText(/^Owned by \u2068.*\u2069 · 2 participants/).waitFor()
  })

  it('shows who is present, visibly and to screen readers', async () => {
    const barbara = await member('Barbara')
    const { space_id } = await talkOf(ada, barbara)
    const { page } = await browser.comeIn(ada, `/s/${space_id}`)
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Barbara/ })
    const heading = page.getByRole('heading', { level: 1 })
    await entry.waitFor()
    for (const place of [entry, heading]) expect(await place.getByText('Here now').count()).toBe(0)
    const there = await browser.comeIn(barbara, '/')
    for (const place of [entry, heading]) await place.getByText('Here now').waitFor()
    await page.goto(`${server.url}/s/${space_id}?panel=people`)
    const panel = page.getByRole('complementary', { name: 'Participants' })
    await panel.getByRole('listitem').filter({ hasText: 'Barbara' }).getByText('Here now').waitFor()
    await panel.getByRole('button', { name: 'Barbara', exact: true }).click()
    await page.getByRole('dialog', { name: 'About Barbara' }).getByText('Here now').waitFor()
    await there.page.close()
    for (const place of [entry, heading]) await place.getByText('Here now').waitFor({ state: 'detached' })
    // A member who hides presence is never shown as present.
    const hidden = await browser.comeIn(barbara, '/notifications')
    await heading.getByText('Here now').waitFor()
    await hidden.page.getByRole('button', { name: 'Change' }).click()
    await hidden.page.getByRole('checkbox', { name: 'Show when I am here' }).uncheck()
    await hidden.page.getByRole('button', { name: 'Save' }).click()
    await hidden.page.getByText('Others do not see when you are here').waitFor()
    await heading.getByText('Here now').waitFor({ state: 'detached' })
  })

  it('is in the navigation with faces, apart from the spaces', async () => {
    const { space_id } = await talkOf(ada, grace)
    await server.as(ada).post(`/api/spaces/${space_id}/speech`, { text: 'Tea?' }).expect(200)
    const { page } = await browser.comeIn(grace, '/')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const entry = navigation.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: /^Ada/ }).first()
    await entry.getByTitle('1 for you').waitFor()
    expect(await navigation.getByRole('list', { name: 'Your spaces' }).getByRole('link', { name: /Ada/ }).count()).toBe(
      0,
    )
    await entry.click()
    await page.getByRole('log').getByText('Tea?').waitFor()
    await entry.getByTitle('1 for you').waitFor({ state: 'detached' })
    await navigation.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('dialog', { name: 'New message' }).waitFor()
  })

  it('notifies a hidden tab within a second, by title, badge, icon and notification', async () => {
    const alan = await member('Alan')
    const { space_id } = await talkOf(ada, alan)
    const { page, context } = await browser.person()
    await context.addInitScript(sightIsTold)
    await context.addInitScript(notificationsAreKept)
    await page.goto(`${server.url}/notifications`)
    const reader = new Person(page, server.url)
    await reader.signIn(alan)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    const say = (text: string) => server.as(ada).post(`/api/spaces/${space_id}/speech`, { text }).expect(200)
    const shown = () => page.evaluate(() => Reflect.get(window, 'shown') as { title: string; body: string }[])
    await say('While you look')
    await expect.poll(() => page.title(), WITHIN_A_SECOND).toMatch(/^\(1\) /)
    await page.getByRole('navigation', { name: 'Main' }).getByTitle('1 for you').waitFor()
    await page.evaluate(tellSight, 'hidden')
    await expect.poll(() => page.evaluate(isAnyTabVisible)).toBe(false)
    await say('While you are **away**')
    await expect.poll(() => page.title(), WITHIN_A_SECOND).toMatch(/^\(2\) /)
    await expect.poll(shown, WITHIN_A_SECOND).toMatchObject([
      {
        title: 'Ada',
        body: 'While you are away',
        tag: `${alan.actor_id} /s/${space_id}`,
        data: { path: `/s/${space_id}` },
      },
    ])
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe('/favicon-dot.svg')

    // More than the inbox lists, of which the oldest are done.
    const line = { text: 'and more', speaker_id: ada.actor_id, speaker_name: 'Ada' }
    const events = Array.from({ length: 60 }, () => line)
    const [, tenth] = await server.as(ada).post(`/api/spaces/${space_id}/events/batch`, { events }).expect(200)
    await expect.poll(() => page.title()).toMatch(/^\(62\) /)
    const through = { space_id, event_id: tenth.event_id }
    await server
      .as(alan)
      .post('/api/actors/me/inbox/done', { through: [through] })
      .expect(200)
    await expect.poll(() => page.title()).toMatch(/^\(58\) /)
    await say('Still away?')
    await expect
      .poll(async () => (await shown()).slice(1))
      .toMatchObject([
        { title: 'Ada', tag: `${alan.actor_id} /s/${space_id}` },
        { title: 'Collaboration Spaces', body: '59 waiting for you', data: { path: '/inbox' } },
      ])
  })

  it('opens from the palette, and is left', async () => {
    const { page } = await browser.comeIn(ada, '/agents')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('linus')
    await page.getByRole('group', { name: 'People and agents' }).getByRole('option', { name: /Linus/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\/conversation-/)
    await page.getByRole('heading', { level: 1, name: 'Linus' }).waitFor()
    await page.getByText('Write to Linus').waitFor()
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Leave…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave Linus?' })
    await dialog.getByText('To return, write to the same members again.').waitFor()
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  })
})

/** Headless Chromium shows no notifications, so that this records them. It has no push service, either. */
function notificationsAreKept(): void {
  const shown: object[] = []
  Object.assign(window, { shown })
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Object.assign(Notification, { requestPermission: async () => 'granted' })
  Object.assign(PushManager.prototype, {
    subscribe: () => Promise.reject(new DOMException('no push service', 'AbortError')),
  })
  Object.assign(ServiceWorkerRegistration.prototype, {
    showNotification: async (title: string, options: NotificationOptions) => {
      shown.push({ title, ...options })
    },
  })
}

const isAnyTabVisible = async (): Promise<boolean> =>
  (await navigator.locks.query()).held?.some(({ name }) => name?.startsWith('visible ')) ?? false
