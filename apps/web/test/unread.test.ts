import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'
import { sightIsTold, tellSight } from './support/sight.js'

describeInBrowser('unread events', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates a space of Ada's that Bob has joined. */
  async function spaceOfBoth() {
    const ada = await server.registerHuman('Ada')
    const bob = await server.registerHuman('Bob')
    const path = await server.openSpace(ada)
    await server.as(bob).post(`${path}/join`, {}).expect(200)
    const say = (first: number, count: number) =>
      server.as(ada).post(`${path}/events/batch`, {
        events: Array.from({ length: count }, (_, n) => ({
          text: `line ${first + n}`,
          speaker_id: ada.actor_id,
          speaker_name: 'Ada',
        })),
      })
    return { ada, bob, path, spaceId: spaceIdOf(path), say }
  }

  const isInWindow = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  }
  const unread = async (actor: Actor, path: string): Promise<number> =>
    (await server.as(actor).get(`${path}/status`).expect(200)).unread_count
  const isRead = (actor: Actor, path: string) => eventually(async () => (await unread(actor, path)) === 0)

  it('are opened first, on every device, until they are seen', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 40).expect(200)
    const first = await browser.comeIn(bob, `/s/${spaceId}`)
    await first.page.getByRole('button', { name: 'Jump to newest' }).click()
    await first.sees('line 39')
    await isRead(bob, path)
    await first.open('/')
    await say(40, 50).expect(200)
    const second = await browser.comeIn(bob, '/')
    await second.page.getByRole('main').getByText('50 new').waitFor()
    await second.page.getByRole('main').getByRole('link', { name: spaceId }).click()
    await second.history.getByText('50 new').waitFor()
    await second.history.getByText('line 40', { exact: true }).waitFor()
    expect(await second.times('line 89')).toBe(0)
    expect(await unread(bob, path)).toBeGreaterThan(0)
    await second.page.getByRole('button', { name: 'Jump to newest' }).click()
    await second.sees('line 89')
    await isRead(bob, path)
    await second.page.getByRole('navigation').getByTitle('new since').waitFor({ state: 'detached' })
  })

  it('are all events in a joined space that was never opened', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 45).expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}`)
    await reader.history.getByText('45 new').waitFor()
    await reader.history.getByText('line 0', { exact: true }).waitFor()
    expect(await reader.times('line 44')).toBe(0)
    await eventually(async () => (await unread(bob, path)) < 45)
    expect(await unread(bob, path)).toBeGreaterThan(0)
    await reader.page.getByRole('button', { name: 'Jump to newest' }).click()
    await reader.sees('line 44')
    await isRead(bob, path)
  })

  it('are reached by a jump if the whole history is unread', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 100).expect(200)
    await say(100, 50).expect(200)
    const [newest] = await server.as(bob).get(`${path}/events?tail=true&limit=1`).expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}/e/${newest.event_id}`)
    await reader.sees('line 149')
    await reader.page.getByRole('button', { name: 'Jump to first unread' }).click()
    await reader.history.getByText('100+ new').waitFor()
    await reader.history.getByText('line 0', { exact: true }).waitFor()
  })

  it('are visible, also after many acts', async () => {
    const { ada, bob, path, spaceId, say } = await spaceOfBoth()
    await server.as(bob).put(`${path}/seen`, {}).expect(200)
    await say(0, 1).expect(200)
    await server.as(bob).put(`${path}/seen`, {}).expect(200)
    for (let n = 0; n < 20; n++) {
      const text = `proposal ${n}`
      await server.as(ada).post(`${path}/decisions`, { proposed_by: ada.actor_id, text }).expect(200)
    }
    await say(1, 1).expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}`)
    await reader.history.getByText('1 new').waitFor()
    await eventually(() => reader.history.getByText('line 1', { exact: true }).evaluate(isInWindow))
    await isRead(bob, path)
  })

  it('count down as the reader scrolls', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 1).expect(200)
    await server.as(bob).put(`${path}/seen`, {}).expect(200)
    await say(1, 90).expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}`)
    await reader.history.getByText('90 new').waitFor()
    await eventually(async () => (await unread(bob, path)) < 90)
    expect(await unread(bob, path)).toBeGreaterThan(30)
  })

  it('are seen if the last line is a proposal, whose position is restored on return', async () => {
    const { ada, bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 40).expect(200)
    await server.as(bob).put(`${path}/seen`, {}).expect(200)
    await server
      .as(ada)
      .post(`${path}/decisions`, { proposed_by: ada.actor_id, text: `Sail\n\n${'on and on\n\n'.repeat(30)}` })
      .expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}`)
    await reader.sees('Sail')
    await isRead(bob, path)
    // Above the end, with only the proposal visible.
    await say(40, 60).expect(200)
    await reader.sees('line 99')
    const proposal = reader.history.getByRole('group', { name: 'Decision' })
    await eventually(async () => {
      await reader.history.evaluate((log) => log.scrollBy(0, -300))
      return (await proposal.count()) > 0
    })
    await proposal.evaluate((group) => group.scrollIntoView({ block: 'start' }))
    await reader.history.evaluate((log) => log.scrollBy(0, 60))
    await reader.page.getByRole('link', { name: 'Home' }).click()
    await reader.page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
    await reader.page.goBack()
    await reader.page.getByRole('button', { name: 'Jump to newest' }).waitFor()
    expect(await reader.page.getByText('Not found').count()).toBe(0)
  })

  it('cause no request for each arriving event', async () => {
    const { ada, bob, path, spaceId, say } = await spaceOfBoth()
    await server.as(ada).post(`${path}/join`, {}).expect(200)
    await say(0, 1).expect(200)
    const reader = await browser.comeIn(bob, `/s/${spaceId}`)
    await reader.sees('line 0')
    await isRead(bob, path)
    const urls: string[] = []
    // Preloading continues meanwhile.
    reader.page.on('request', (request) => /\/(api|trpc)\//.test(request.url()) && urls.push(request.url()))
    for (let n = 1; n <= 60; n++) await say(n, 1).expect(200)
    await reader.sees('line 60')
    await isRead(bob, path)
    expect(urls.filter((url) => url.includes('space.status')).length).toBeLessThan(4)
    expect(urls.length).toBeLessThan(30)
  })

  it.each(['Open navigation', 'Participants'])('are not seen while %s covers the history of a phone', async (name) => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    const { page } = await browser.comeIn(bob, `/s/${spaceId}`, { viewport: { width: 390, height: 844 } })
    await page.getByRole('log').waitFor()
    if (name === 'Participants') await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole(name === 'Participants' ? 'menuitem' : 'button', { name }).click()
    await say(0, 1).expect(200)
    await page.locator('nav').getByTitle('1 new').waitFor({ state: 'attached' })
    expect(await unread(bob, path)).toBe(1)
    await page.keyboard.press('Escape')
    await isRead(bob, path)
  })

  it('are led to on return to a hidden tab, and stay unread until they are seen', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 40).expect(200)
    const { page, history } = await browser.comeIn(bob, `/s/${spaceId}`)
    const toNewest = page.getByRole('button', { name: /Jump to newest$/ })
    await toNewest.click()
    await isRead(bob, path)
    const isInView = (text: string) => history.getByText(text, { exact: true }).evaluate(isInWindow)
    await page.evaluate(sightIsTold)
    await page.evaluate(tellSight, 'hidden')
    await say(40, 60).expect(200)
    await page.getByRole('navigation').getByTitle('60 new').waitFor()
    await page.evaluate(tellSight, 'visible')
    await history.getByText('60 new').waitFor()
    await eventually(() => isInView('line 40'))
    await eventually(async () => (await unread(bob, path)) < 60)
    expect(await unread(bob, path)).toBeGreaterThan(30)
    await toNewest.click()
    await isRead(bob, path)

    // A few fit below what was seen.
    await page.evaluate(tellSight, 'hidden')
    await say(100, 2).expect(200)
    await page.getByRole('navigation').getByTitle('2 new').waitFor()
    await page.evaluate(tellSight, 'visible')
    await history.getByText('2 new').waitFor()
    await isRead(bob, path)
    await say(102, 1).expect(200)
    await eventually(() => isInView('line 102'))
  })

  it('are not seen in a visible tab without a reader', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 1).expect(200)
    const reader = await browser.person()
    const { clock } = reader.context
    await clock.install()
    await reader.open(`/s/${spaceId}`)
    await reader.signIn(bob)
    await isRead(bob, path)
    await clock.fastForward('11:00')
    await say(1, 1).expect(200)
    await reader.sees('line 1')
    await reader.page.getByRole('navigation').getByTitle('1 new').waitFor()
    await clock.fastForward('00:10')
    await reader.rendered()
    expect(await unread(bob, path)).toBe(1)
    await reader.page.mouse.move(300, 300)
    await isRead(bob, path)
  })

  it('are marked as read once the server is reachable again', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 40).expect(200)
    const reader = await browser.person()
    const { page, context } = reader
    await context.clock.install()
    await reader.open(`/s/${spaceId}`)
    await reader.signIn(bob)
    await eventually(async () => (await unread(bob, path)) < 40)
    await context.setOffline(true)
    let lost = 0
    page.on('requestfailed', (request) => {
      if (request.url().includes('seen.mark')) lost += 1
    })
    await page.getByRole('button', { name: 'Jump to newest' }).click()
    await reader.sees('line 39')
    await eventually(() => lost > 0)
    // The call is no longer repeated.
    await context.clock.fastForward('01:00')
    await context.setOffline(false)
    await isRead(bob, path)
  })

  it('are marked as read and unread from the navigation and the menu of the space', async () => {
    const { bob, path, spaceId, say } = await spaceOfBoth()
    // Sections have names if there are several.
    await server
      .as(bob)
      .post(`${await server.openSpace(bob)}/join`)
      .expect(200)
    await say(0, 3).expect(200)
    const { page, history } = await browser.comeIn(bob, '/')
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: spaceId })
    await entry.getByText('3', { exact: true }).waitFor()
    await entry.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark as read' }).click()
    await isRead(bob, path)
    await entry.getByText('3', { exact: true }).waitFor({ state: 'detached' })
    await entry.focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Mark as unread' }).press('Enter')
    await entry.getByText('1', { exact: true }).waitFor()
    expect(await unread(bob, path)).toBe(1)
    await page.getByRole('menu').waitFor({ state: 'detached' })
    // Other changes wait until the focus has left the list.
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).press('Enter')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('heading', { name: 'Pinned' }).waitFor()

    await entry.click()
    await history.getByText('line 2').waitFor()
    await isRead(bob, path)
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
    await page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
    await entry.getByText('1', { exact: true }).waitFor()
  })

  it('have a filled badge only if they address the reader, and none in a muted space', async () => {
    const { ada, bob, path, spaceId, say } = await spaceOfBoth()
    await say(0, 2).expect(200)
    const { page } = await browser.comeIn(bob, '/notifications')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const entry = navigation.getByRole('link', { name: spaceId })
    await entry.getByTitle('2 new').waitFor()
    expect(await navigation.getByTitle('Waiting for you').count()).toBe(0)
    const mentions = [bob.actor_id]
    await server.as(ada).post(`${path}/speech`, { text: '@Bob, look', metadata: { mentions } }).expect(200)
    await entry.getByTitle('1 for you').waitFor()
    // As screen readers read it.
    await navigation.getByRole('link', { name: `${spaceId} 3 new 1 for you`, exact: true }).waitFor()
    await navigation.getByRole('link', { name: 'Inbox 1 waiting for you', exact: true }).waitFor()
    await navigation.getByTitle('Waiting for you').getByText('1', { exact: true }).waitFor()
    await eventually(async () => (await page.title()).startsWith('(1) '))
    await server.as(bob).put(`${path}/preferences`, { notices: 'none' }).expect(200)
    await page.reload()
    await navigation.getByRole('button', { name: 'Muted (1)' }).waitFor()
    await eventually(async () => (await page.title()).startsWith('Notifications'))
    expect(await navigation.getByTitle(/for you/i).count()).toBe(0)
    await server.as(bob).put(`${path}/preferences`, { notices: 'mentions' }).expect(200)
    await page.reload()
    await entry.getByTitle('1 for you').waitFor()
    // Read events are still in the inbox, but have no badge.
    await entry.click()
    await isRead(bob, path)
    await eventually(async () => !(await page.title()).startsWith('('))
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe('/favicon.svg')
  })
})
