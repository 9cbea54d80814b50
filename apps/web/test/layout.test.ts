import { setTimeout as delay } from 'node:timers/promises'
import { eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator, Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { useViews, VIEWS_SETTINGS } from './support/views.js'

/** A layout shift entry of the browser. */
interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** The layout shift of a page, and its sources. */
interface ShiftReport {
  sum: number
  readonly nodes: string[]
}

/** The delay of responses, and the spread of concurrent ones. */
const LATE_MS = 150
const APART_MS = 60

const PHONE = { width: 390, height: 844 }

/** The maximum layout shift score: a line that wraps in a corner. */
const MAX_SHIFT = 0.02

describeInBrowser('the layout of a page', () => {
  const server = useProgram(VIEWS_SETTINGS)
  const browser = useBrowser(server)
  const { ada, grace, kay } = useViews(server)

  /** Creates an account with spaces, a history and inbox entries. */
  async function createReader() {
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

  describe.each([1440, 390])('in a window of %i pixels', (width) => {
    it.each([
      ['an account', ada],
      ['the admin of a tenant', grace],
      ['a newcomer', kay],
    ])('stays where it is while answers come late, for %s', async (_who, { actor, pages, dialogs }) => {
      const one = await browser.comeIn(actor(), '/')
      await one.page.setViewportSize({ width, height: 844 })
      const answers = await delayAnswers(one.page)
      await watchShifts(one)
      const moved: Record<string, ShiftReport> = {}
      for (const [name, path, isShown] of [...pages, ...dialogs]) {
        await one.open(path())
        await isShown(one)
        await answers.all()
        await one.page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
        const shifted = await shiftOf(one.page)
        if (shifted.sum > MAX_SHIFT) moved[name] = shifted
      }
      expect(moved).toEqual({})
    })
  })

  it('is no wider than a phone, also with long names', async () => {
    const name = `Wolfe${'schlegelsteinhausen'.repeat(3)}`
    const one = await browser.comeIn(await server.registerHuman(name), '/')
    await one.page.setViewportSize(PHONE)
    const heading = one.page.getByRole('heading', { name: `Hello, ${name}` })
    await heading.waitFor()
    const { x = 0, width = 0 } = (await heading.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
    expect(await heading.evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0)
  })

  it('fits the inbox on a phone, also with long names of spaces', async () => {
    const { ada, path } = await createReader()
    const title = 'Datenschutz-Folgenabschätzung für das Bewerbungsverfahren'
    await server.as(ada).patch(path, { title }).expect(200)
    const one = await browser.comeIn(ada, '/inbox')
    await one.page.setViewportSize(PHONE)
    const row = one.page.getByRole('button', { name: /@Ada, which one/ })
    await row.waitFor()
    const { x = 0, width = 0 } = (await row.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
  })

  it('covers nothing with the toolbar of a message on a touch screen', async () => {
    const { ada, path, spaceId } = await createReader()
    await server
      .as(ada)
      .patch(path, { title: `إطلاق ${'الربيع '.repeat(9)}` })
      .expect(200)
    // The history starts at its end, where these lines are.
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceId}`, { hasTouch: true })
    await one.page.setViewportSize(PHONE)
    const said = (text: string) => one.history.getByRole('article').filter({ hasText: text })
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN
    const bottom = async (place: Locator) => {
      const { y = Number.NaN, height = 0 } = (await place.boundingBox()) ?? {}
      return y + height
    }
    // While lines still move, a tap misses them.
    const tapUntil = (text: string, shown: Locator) =>
      expect
        .poll(async () => {
          await said(text).tap()
          return shown.isVisible()
        })
        .toBe(true)
    const toolbar = said('line 28').getByRole('toolbar')
    await tapUntil('line 28', toolbar)
    expect(await top(toolbar)).toBeGreaterThanOrEqual(await bottom(said('line 28').getByText('line 28')))
    expect(await bottom(toolbar)).toBeLessThanOrEqual(await top(said('line 29')))
    // The toolbar of the newest line is visible.
    await tapUntil('which one?', said('which one?').getByRole('toolbar'))
    const field = one.page.getByRole('textbox', { name: /^Message to/ })
    await expect
      .poll(async () => (await bottom(said('which one?').getByRole('toolbar'))) <= (await top(field)))
      .toBe(true)
    // A long name of the space takes one line of the placeholder.
    expect((await bottom(field)) - (await top(field))).toBeLessThan(60)
    // Own messages have the most actions.
    await server.as(ada).post(`${path}/speech`, { text: 'my own' }).expect(200)
    const own = said('my own').getByRole('toolbar')
    await tapUntil('my own', own)
    const { x = Number.NaN, width = 0 } = (await own.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
  })

  it('shows a few conversations whole, beside more spaces than fit', async () => {
    const { ada, grace } = await createReader()
    await server
      .as(ada)
      .post('/api/conversations', { actor_ids: [grace.actor_id] })
      .expect(200)
    const { page } = await browser.comeIn(ada, '/')
    await page.setViewportSize({ width: 1440, height: 600 })
    const list = page.getByRole('navigation').getByRole('list', { name: 'Conversations' })
    await list.getByRole('link', { name: /^Grace/ }).waitFor()
    expect(await list.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
  })

  it.each([1440, 1600])('shows all that can be done with an own message in a window of %i pixels', async (width) => {
    const { ada, path, spaceId } = await createReader()
    await server.as(ada).post(`${path}/speech`, { text: 'my own' }).expect(200)
    // The history starts at its end.
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceId}`, { viewport: { width, height: 900 } })
    const line = one.history.getByRole('article').filter({ hasText: 'my own' })
    await line.hover()
    const { x = Number.NaN, width: size = 0 } = (await line.getByRole('toolbar').boundingBox()) ?? {}
    expect(x + size).toBeLessThanOrEqual(width)
    expect(await line.getByRole('toolbar').getByRole('button').count()).toBe(9)
  })

  it('scrolls only its parts, also with a hidden text far down a list', async () => {
    const { ada, grace, path } = await createReader()
    for (let n = 12; n < 40; n++) {
      await server
        .as(ada)
        .post('/api/spaces', { space_id: `${ada.actor_id}-${n}` })
        .expect(200)
    }
    await server.as(grace).post(`${path}/speech`, { text: 'One more' }).expect(200)
    const { page } = await browser.comeIn(ada, '/')
    await page.setViewportSize({ width: 1440, height: 600 })
    await page.getByRole('navigation').getByTitle('1 for you').waitFor()
    const last = page.getByRole('navigation').getByRole('listitem').last()
    await last.evaluate((element) => element.scrollIntoView())
    await page.evaluate(() => document.documentElement.scrollTo(0, 1_000))
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
  })

  it('isolates the direction of texts', async () => {
    const { ada, grace, path, spaceId } = await createReader()
    await server.as(ada).patch(path, { title: 'إطلاق الربيع' }).expect(200)
    const text = 'تم `compact: true` اليوم.\n\nIn English.\n\n- واحد'
    await server.as(ada).post(`${path}/speech`, { text }).expect(200)
    const mentions = [ada.actor_id]
    const asked = await server
      .as(grace)
      .post(`${path}/speech`, { text: '@Ada هل راجعتِ العقد؟', metadata: { mentions } })
      .expect(200)
    await server.as(grace).post(`${path}/speech`, { text: 'Did you?', parent_event_id: asked.event_id }).expect(200)
    const proposed = { proposed_by: ada.actor_id, text: 'Sign it' }
    const { decision_id } = await server.as(ada).post(`${path}/decisions`, proposed).expect(200)
    const settled = { resolved_by: ada.actor_id, status: 'resolved', resolution: 'راجعناه' }
    await server.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settled).expect(200)
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const one = await browser.comeIn(ada, `/s/${spaceId}`)
    await one.sees('In English.')
    const said = one.history.getByRole('article').filter({ hasText: 'In English.' })
    const directions = {
      rtl: [
        said.getByText('اليوم'),
        said.getByRole('listitem'),
        // A mentioned name does not affect the direction of the text.
        one.history.getByRole('button', { name: /راجعتِ/ }).getByText('راجعتِ'),
        one.page.getByRole('heading', { level: 1 }).getByText('إطلاق'),
        // The bar beside a reason.
        one.history.getByText('راجعناه').locator('../..'),
      ],
      ltr: [said.getByText('In English.'), said.locator('code'), one.page.getByRole('heading', { level: 1 })],
    }
    for (const [direction, places] of Object.entries(directions))
      for (const place of places) expect(await directionOf(place)).toBe(direction)
  })

  const directionOf = (place: Locator) => place.evaluate((element) => getComputedStyle(element).direction)

  /** Delays and reorders responses. */
  async function delayAnswers(page: Page) {
    const underWay = new Set<Request>()
    let asked = 0
    await page.route('**/trpc/**', async (route) => {
      await delay(LATE_MS + (asked++ % 4) * APART_MS)
      // The page may have closed meanwhile.
      await route.continue().catch(() => undefined)
    })
    page.on('request', (request) => request.url().includes('/trpc/') && underWay.add(request))
    page.on('requestfinished', (request) => underWay.delete(request))
    page.on('requestfailed', (request) => underWay.delete(request))
    /** Resolves when no request is pending, including follow-up requests. */
    const all = () => eventually(async () => underWay.size === 0 && (await page.evaluate(drawn)) && underWay.size === 0)
    return { all }
  }

  /** Records layout shifts in each page opened from now on. */
  const watchShifts = ({ context }: Person) =>
    context.addInitScript(() => {
      const shifted: ShiftReport = { sum: 0, nodes: [] }
      const add = (entries: PerformanceEntryList) => {
        for (const { value, hadRecentInput, sources } of entries as Shift[]) {
          if (hadRecentInput) continue
          shifted.sum += value
          shifted.nodes.push(...sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`))
        }
      }
      const observer = new PerformanceObserver((list) => add(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      Object.assign(window, {
        shiftsSoFar: () => {
          add(observer.takeRecords())
          return shifted
        },
      })
    })

  const shiftOf = (page: Page) =>
    page.evaluate(() => (window as unknown as { shiftsSoFar: () => ShiftReport }).shiftsSoFar())
})

/** Resolves after the next paint of a page. */
const drawn = () =>
  new Promise<boolean>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))
