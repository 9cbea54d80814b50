import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

/** What a browser says of something that has moved by itself. */
interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/** A network of a phone, as the tools of the browser have it. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

const PHONE = { width: 390, height: 844 }

/** As a share of the window, moved by as much: a line that becomes two in a corner. */
const MOST_SHIFT = 0.02

describeInBrowser('the layout of a page', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Somebody with a few spaces, of which one has a history, and things that wait. */
  async function somebody() {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    for (let n = 0; n < 12; n++)
      await server
        .as(ada)
        .post('/api/spaces', { space_id: `${ada.actor_id}-${n}` })
        .expect(200)
    const path = await server.openSpace(ada)
    await server.as(ada).patch(path, { description: 'Where to go next, and what to take along' }).expect(200)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    for (let n = 0; n < 30; n++)
      await server
        .as(grace)
        .post(`${path}/speech`, { text: `line ${n}` })
        .expect(200)
    const mentions = [ada.actor_id]
    await server.as(grace).post(`${path}/speech`, { text: '@Ada, which one?', metadata: { mentions } }).expect(200)
    return { ada, grace, path, spaceId: spaceIdOf(path) }
  }

  it.each([
    ['a wide window', 1440],
    ['a tablet', 820],
    ['a phone', 390],
  ])('stays where it is while things come over a slow network, in %s', async (_what, width) => {
    const { ada, spaceId } = await somebody()
    const one = await browser.person({ viewport: { width, height: 900 } })
    await one.open('/')
    await one.page.getByLabel('API key or token').fill(ada.api_key)
    await one.page.getByLabel('Remember me on this device').check()
    await one.page.getByRole('button', { name: 'Sign in' }).last().click()
    await one.page.getByText('@Ada, which one?').waitFor()
    await slowDown(one)
    await watchShifts(one.page)
    const titled = (name: string) => one.page.getByRole('main').getByRole('heading', { name }).first().waitFor()
    const shown = {
      '/': () => one.page.getByText('@Ada, which one?').waitFor(),
      [`/s/${spaceId}`]: () => one.sees('line 29'),
      [`/s/${spaceId}/decisions`]: () => titled('Decisions'),
      '/agents': () => titled('Your webhooks'),
      '/tenant': () => titled('Tenant'),
      '/credentials': () => titled('Credentials'),
      '/notifications': () => titled('Browsers'),
    }
    for (const [path, isShown] of Object.entries(shown)) {
      await one.open(path)
      await isShown()
      await one.page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
      expect({ path, shift: await shiftOf(one.page) }).toSatisfy(({ shift }) => shift <= MOST_SHIFT)
    }
  })

  it('is no wider than a phone, however long a name is', async () => {
    const name = `Wolfe${'schlegelsteinhausen'.repeat(3)}`
    const one = await browser.person()
    await one.open('/')
    await one.signIn(await server.registerHuman(name))
    await one.page.setViewportSize(PHONE)
    const heading = one.page.getByRole('heading', { name: `Hello, ${name}` })
    await heading.waitFor()
    const { x = 0, width = 0 } = (await heading.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
    expect(await heading.evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0)
  })

  it('has all of the inbox within a phone, however long the name of a space is', async () => {
    const { ada, path } = await somebody()
    const title = 'Datenschutz-Folgenabschätzung für das Bewerbungsverfahren'
    await server.as(ada).patch(path, { title }).expect(200)
    const one = await browser.comeIn(ada, '/inbox')
    await one.page.setViewportSize(PHONE)
    const row = one.page.getByRole('button', { name: /@Ada, which one/ })
    await row.waitFor()
    const { x = 0, width = 0 } = (await row.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
  })

  it('covers nothing with what a finger can do with a message', async () => {
    const { ada, path, spaceId } = await somebody()
    await server
      .as(ada)
      .patch(path, { title: `إطلاق ${'الربيع '.repeat(9)}` })
      .expect(200)
    const one = await browser.person({ hasTouch: true })
    await one.open(`/s/${spaceId}`)
    await one.signIn(ada)
    await one.page.setViewportSize(PHONE)
    const said = (text: string) => one.history.getByRole('article').filter({ hasText: text })
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN
    const bottom = async (place: Locator) => {
      const { y = Number.NaN, height = 0 } = (await place.boundingBox()) ?? {}
      return y + height
    }
    await said('line 28').tap()
    const toolbar = said('line 28').getByRole('toolbar')
    await toolbar.waitFor()
    expect(await top(toolbar)).toBeGreaterThanOrEqual(await bottom(said('line 28').getByText('line 28')))
    expect(await bottom(toolbar)).toBeLessThanOrEqual(await top(said('line 29')))
    // Below the newest one, it is in sight.
    await said('which one?').tap()
    const field = one.page.getByRole('textbox', { name: /^Message to/ })
    await expect
      .poll(async () => (await bottom(said('which one?').getByRole('toolbar'))) <= (await top(field)))
      .toBe(true)
    // The name of the space, however long, takes one line of the field.
    expect((await bottom(field)) - (await top(field))).toBeLessThan(60)
  })

  it('has words and times in their own direction, whatever that of the words beside them', async () => {
    const { ada, grace, path, spaceId } = await somebody()
    await server.as(ada).patch(path, { title: 'إطلاق الربيع' }).expect(200)
    const text = 'تم `compact: true` اليوم.\n\nIn English.\n\n- واحد'
    await server.as(ada).post(`${path}/speech`, { text }).expect(200)
    const mentions = [ada.actor_id]
    const asked = await server
      .as(grace)
      .post(`${path}/speech`, { text: '@Ada هل راجعتِ العقد؟', metadata: { mentions } })
      .expect(200)
    await server.as(grace).post(`${path}/speech`, { text: 'Did you?', parent_event_id: asked.event_id }).expect(200)
    const one = await browser.person({ locale: 'ar' })
    await one.open(`/s/${spaceId}`)
    await one.signIn(ada)
    await one.sees('In English.')
    const said = one.history.getByRole('article').filter({ hasText: 'In English.' })
    const directions = {
      rtl: [
        said.getByText('اليوم'),
        said.getByRole('listitem'),
        said.locator('time'),
        // Whom it mentions does not say in which direction it is written.
        one.history.getByRole('button', { name: /راجعتِ/ }).getByText('راجعتِ'),
        one.page.getByRole('heading', { level: 1 }).getByText('إطلاق'),
      ],
      ltr: [said.getByText('In English.'), said.locator('code'), one.page.getByRole('heading', { level: 1 })],
    }
    for (const [direction, places] of Object.entries(directions))
      for (const place of places) expect(await directionOf(place)).toBe(direction)
  })

  const directionOf = (place: Locator) => place.evaluate((element) => getComputedStyle(element).direction)

  async function slowDown({ context, page }: Person): Promise<void> {
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
  }

  /** Has each page that is opened from now on add up how much of it has moved by itself, and how far. */
  const watchShifts = (page: Page) =>
    page.addInitScript(() => {
      const shifted = { sum: 0 }
      Object.assign(window, { shifted })
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries() as Shift[]) if (!hadRecentInput) shifted.sum += value
      }).observe({ type: 'layout-shift', buffered: true })
    })

  const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { shifted: { sum: number } }).shifted.sum)
})
