import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, Person, useBrowser } from './support/browser.js'
import { Requests, STREAM } from './support/requests.js'
import { sightIsTold, tellSight } from './support/sight.js'

/** More than three times a browser's connections per server. */
const TABS = 20
/** Time in a page in which a minute is a second. */
const FIVE_MINUTES_MS = 5_000
const PANELS = ['people', 'threads', 'search', 'summary', 'activity', 'links']

describeInBrowser('tabs of one browser', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  const say = (actor: Actor, path: string, text: string) =>
    server.as(actor).post(`${path}/speech`, { text }).expect(200)

  /** Creates an account that is signed in in every tab, and another one that posts. */
  async function begin() {
    const ada = await server.registerHuman('Ada')
    const { context, page } = await browser.person()
    const requests = new Requests(context)
    const door = new Person(page, server.url)
    await door.open('/')
    await door.signIn(ada, true)
    const openTab = async (path: string) => {
      const tab = new Person(await context.newPage(), server.url)
      await tab.open(`/s/${spaceIdOf(path)}`)
      return tab
    }
    return { ada, context, door, requests, openTab, colleague: await server.registerHuman('Bob') }
  }

  async function spaceOf(actor: Actor): Promise<string> {
    const path = await server.openSpace(actor)
    await server.as(actor).post(`${path}/join`).expect(200)
    return path
  }

  it('all receive events over one stream', async () => {
    const { ada, colleague, requests, openTab } = await begin()
    const paths: string[] = []
    for (let n = 0; n < TABS; n++) {
      const path = await spaceOf(ada)
      await say(colleague, path, 'hello')
      paths.push(path)
    }
    const tabs = await Promise.all(paths.map(openTab))
    for (const tab of tabs) await tab.sees('hello')
    for (const path of paths) await say(colleague, path, 'live')
    for (const tab of tabs) await tab.sees('live')
    expect([...requests.open.values()].filter((url) => url.includes(STREAM))).toHaveLength(1)
  })

  it('continue when the owner of the stream closes, with each event once', async () => {
    const { ada, colleague, door, openTab } = await begin()
    const path = await spaceOf(ada)
    const [tab, same] = [await openTab(path), await openTab(path)]
    await say(colleague, path, 'before')
    for (const each of [tab, same]) await each.sees('before')
    await door.page.close()
    for (let n = 0; n < 5; n++) await say(colleague, path, `after ${n}`)
    for (const each of [tab, same]) {
      await each.sees('after 4')
      for (let n = 0; n < 5; n++) expect(await each.times(`after ${n}`)).toBe(1)
    }
  })

  it('send no requests while idle, nor for each event, and update unread counts', async () => {
    const { ada, colleague, door, requests, openTab } = await begin()
    const [here, there] = [await spaceOf(ada), await spaceOf(ada)]
    await server.as(colleague).post(`${here}/join`).expect(200)
    const tab = await openTab(here)
    await door.page.close()
    await say(colleague, here, 'The first')
    await tab.sees('The first')
    await requests.quiet()

    const before = requests.all.length
    for (let n = 1; n <= 20; n++) await say(colleague, there, `${n} over there`)
    const entry = tab.page.getByRole('link', { name: spaceIdOf(there) })
    await entry.getByText('20', { exact: true }).waitFor()
    for (let n = 1; n <= 20; n++) await say(colleague, here, `${n} here`)
    await tab.sees('20 here')
    expect(
      await tab.page
        .getByRole('link', { name: spaceIdOf(here) })
        .getByText(/^\d+$/)
        .count(),
    ).toBe(0)
    await requests.quiet()
    const sent = requests.all.slice(before).filter((url) => !url.includes('/trpc/seen.mark'))
    expect(sent).toEqual([])
  })

  it('send at most two requests a minute while idle, on every page', async () => {
    const { ada, context } = await begin()
    await server.registerAgent(ada)
    await server.as(ada).post('/api/agent-codes', { display_name: 'Expected' }).expect(200)
    const path = await spaceOf(ada)
    await context.addInitScript(minutesAreSeconds)
    const space = `/s/${spaceIdOf(path)}`
    for (const address of [
      '/',
      '/inbox',
      '/agents',
      '/notifications',
      space,
      ...PANELS.map((id) => `${space}?panel=${id}`),
    ]) {
      const tab = new Person(await context.newPage(), server.url)
      const sent: { readonly at: number; readonly url: string }[] = []
      tab.page.on('request', (request) => {
        if (/\/trpc\//.test(request.url())) sent.push({ at: performance.now(), url: request.url() })
      })
      await tab.open(address)
      // Lists are refetched every five minutes, also with signals.
      const lists = () => sent.filter(({ url }) => url.includes('mySpaces'))
      await eventually(() => {
        const [first, second] = lists().slice(-2)
        return second !== undefined && first !== undefined && second.at - first.at > FIVE_MINUTES_MS - 500
      })
      const [from = 0, to = 0] = lists()
        .slice(-2)
        .map(({ at }) => at)
      const between = sent
        .filter(({ at }) => at > from && at <= to)
        .map(({ url }) => url.replace(/^.*\/trpc\/|\?.*$/g, ''))
      expect(between.length, `${address}: ${between}`).toBeLessThanOrEqual(10)
      await tab.page.close()
    }
  })

  it('each have a stream while visible, without Web Locks', async () => {
    const { ada, colleague, context, requests, openTab } = await begin()
    await context.addInitScript(isInsecure)
    await context.addInitScript(sightIsTold)
    const path = await spaceOf(ada)
    const tabs = [await openTab(path), await openTab(path)]
    await say(colleague, path, 'hello')
    for (const tab of tabs) await tab.sees('hello')
    const streams = () => [...requests.open.values()].filter((url) => url.includes(STREAM)).length
    // The first tab has one, too. A tab that follows another space replaces its stream.
    await eventually(() => streams() === 3)
    await tabs[0]?.page.evaluate(tellSight, 'hidden')
    await eventually(() => streams() === 2)
    await say(colleague, path, 'meanwhile')
    await tabs[0]?.page.evaluate(tellSight, 'visible')
    for (const tab of tabs) await tab.sees('meanwhile')
  })

  it('go on after the stream was refused for a while', async () => {
    const { ada, colleague, context, door, openTab } = await begin()
    await door.page.close()
    await context.clock.install()
    const [here, there] = [await spaceOf(ada), await spaceOf(ada)]
    const { page, history } = await openTab(here)
    await history.waitFor()
    // As by a proxy during a deployment. Another space makes another connection.
    const refused = page.waitForResponse((response) => response.url().includes(STREAM) && response.status() === 404)
    await page.route(`**${STREAM}*`, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: spaceIdOf(there) }).click()
    await refused
    await page.unroute(`**${STREAM}*`)
    await say(colleague, there, 'meanwhile')
    await eventually(async () => {
      await context.clock.fastForward(30_000)
      return (await history.getByText('meanwhile').count()) > 0
    })
  })

  it('receive nothing while hidden, and resume from their cursor', async () => {
    const { ada, colleague, context, openTab } = await begin()
    await context.addInitScript(sightIsTold)
    const path = await spaceOf(ada)
    const tab = await openTab(path)
    await say(colleague, path, 'hello')
    await tab.sees('hello')
    await tab.page.evaluate(tellSight, 'hidden')
    for (let n = 0; n < 3; n++) await say(colleague, path, `meanwhile ${n}`)
    await tab.page.evaluate(tellSight, 'visible')
    await tab.sees('meanwhile 2')
    for (let n = 0; n < 3; n++) expect(await tab.times(`meanwhile ${n}`)).toBe(1)
  })
})

/** Runs timers 60 times faster. */
function minutesAreSeconds(): void {
  const real = window.setInterval
  const faster = (work: TimerHandler, ms = 0, ...rest: unknown[]) => real(work, ms / 60, ...rest)
  Object.defineProperty(window, 'setInterval', { value: faster })
}

/** Makes a page insecure, as over plain HTTP. */
function isInsecure(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined })
  Object.defineProperty(crypto, 'randomUUID', { value: undefined })
}
