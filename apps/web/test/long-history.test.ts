import { randomUUID } from 'node:crypto'
import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { loadPastTexts, type PastText } from '@collab-spaces/testing/history'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

/** More than twice what the page keeps loaded. */
const COUNT = 5_000
/** The maximum of mounted events: those kept, a page before trimming, and a long page rendered before. */
const KEPT = 2_300
const HOUR_MS = 3_600_000
/** The newest event is from now, and each one an hour after its predecessor. */
const timeOf = (n: number) => Date.now() - (COUNT - n) * HOUR_MS

describeInBrowser('a long history', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  const ids = Array.from({ length: COUNT + 1 }, () => randomUUID())
  let ada: Actor
  let path: string
  let spaceId: string

  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    path = await server.openSpace(ada)
    spaceId = spaceIdOf(path)
    await loadPastTexts(server.connection, spaceId, ada, pastTexts())
  })

  function* pastTexts(): Generator<PastText> {
    for (let n = 1; n <= COUNT; n++) {
      // Lines of different heights, which the list cannot predict.
      const text = `number ${n}\n${'and so on '.repeat((n * 7) % 60)}`
      yield { event_id: ids[n] as string, text, time: timeOf(n) }
    }
  }

  /** Returns the mounted lines: the visible ones and a few more. */
  const lines = ({ page }: Person) =>
    page.evaluate(() => {
      const log = document.querySelector('[role=log]') as HTMLElement
      const { top, bottom } = log.getBoundingClientRect()
      return [...log.querySelectorAll('article')].map((line) => {
        const box = line.getBoundingClientRect()
        const n = Number(/number (\d+)/.exec(line.textContent ?? '')?.[1])
        return { n, top: box.top, isSeen: box.bottom > top && box.top < bottom }
      })
    })
  const seen = async (person: Person) => (await lines(person)).filter(({ isSeen }) => isSeen).map(({ n }) => n)

  /** Scrolls the history, and waits for the paint. */
  const scrollUp = ({ page }: Person, pixels: number) =>
    page.evaluate((pixels) => {
      document.querySelector('[role=log]')?.scrollBy(0, -pixels)
      return new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
    }, pixels)

  /** Returns the number of events in memory. */
  async function keptEvents({ page }: Person): Promise<number> {
    const session = await page.context().newCDPSession(page)
    const { result } = await session.send('Runtime.evaluate', { expression: 'Object.prototype' })
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId as string })
    const functionDeclaration = 'function () { return this.filter(({ event_id }) => event_id !== undefined).length }'
    const objectId = objects.objectId as string
    const counted = await session.send('Runtime.callFunctionOn', { functionDeclaration, objectId, returnByValue: true })
    await session.detach()
    return counted.result.value
  }

  it('is read from its end to its start, in order, while distant events are unloaded', async () => {
    const person = await browser.comeIn(ada, `/s/${spaceId}`)
    await person.sees(`number ${COUNT}`)
    let highest = COUNT
    while (highest > 1) {
      // Loading above keeps the scroll position, so that another turn is needed.
      await eventually(async () => {
        await scrollUp(person, 1_000_000)
        return Math.min(...(await seen(person))) < highest
      })
      const all = (await lines(person)).map(({ n }) => n)
      expect(all).toEqual(all.map((_, index) => (all[0] as number) + index))
      expect(all.length).toBeLessThan(150)
      highest = Math.min(...(await seen(person)))
    }
    await person.page.getByText(`This is the start of ${spaceId}.`).waitFor()
    await eventually(async () => (await keptEvents(person)) <= KEPT)

    await person.page.getByRole('button', { name: 'Jump to newest' }).click()
    await eventually(async () => (await seen(person)).includes(COUNT))
    await server.as(ada).post(`${path}/speech`, { text: 'and still live' }).expect(200)
    await person.sees('and still live')
  })

  it('keeps the position of visible lines while more is loaded above', async () => {
    const person = await browser.comeIn(ada, `/s/${spaceId}/e/${ids[2_500]}`)
    // The list scrolls to the line in steps while it measures lines.
    let top: number | undefined
    await eventually(async () => {
      const last = top
      await scrollUp(person, 0)
      top = (await lines(person)).find(({ n }) => n === 2_500)?.top
      return top !== undefined && top === last
    })
    for (let step = 0; step < 16; step++) {
      const before = (await lines(person)).find(({ isSeen }) => isSeen)
      const from = before?.n ?? 0
      let first: number | undefined
      // A line may be taller than that.
      await eventually(async () => {
        await scrollUp(person, 300)
        first = (await seen(person))[0]
        return first !== undefined && first < from
      })
      // A jump would skip a page or more.
      expect(from - (first ?? 0)).toBeLessThan(15)
    }
  })

  it('opens at the event in the path, and at a given date', async () => {
    const person = await browser.comeIn(ada, `/s/${spaceId}/e/${ids[1_234]}`)
    await eventually(async () => (await seen(person)).includes(1_234))
    expect(
      await person.page
        .getByRole('article')
        .and(person.page.locator(`#event-${ids[1_234]}`))
        .count(),
    ).toBe(1)

    const day = new Date(timeOf(3_000))
    await person.page.getByRole('button', { name: 'Space actions' }).click()
    await person.page.getByRole('menuitem', { name: 'Jump to date…' }).click()
    await person.page.getByRole('textbox', { name: 'Date' }).fill(day.toISOString().slice(0, 10))
    await person.page.getByRole('button', { name: 'Go', exact: true }).click()
    // The first event of that day in the browser's time zone, which is UTC.
    const first = 3_000 - day.getUTCHours()
    await eventually(async () => (await seen(person)).some((n) => Math.abs(n - first) <= 2))

    // As with a link to the same event.
    await person.page.evaluate(() => window.history.pushState(null, '', window.location.href))
    await eventually(async () => (await seen(person)).includes(1_234))
  })

  it('stays at its end while events arrive', async () => {
    const path = await server.openSpace(ada)
    const person = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    await person.page.getByText('Start the conversation').waitFor()
    for (let first = 1; first <= 3_000; first += 10) {
      const events = Array.from({ length: 10 }, (_, n) => ({
        text: `number ${first + n}\n${'and so on '.repeat((n * 7) % 60)}`,
        speaker_id: ada.actor_id,
        speaker_name: 'Ada',
      }))
      await server.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    }
    await eventually(async () => (await seen(person)).includes(3_000))
    const toNewest = person.page.getByRole('button', { name: 'Jump to newest' })
    expect(await toNewest.count()).toBe(0)
    // Scrolling away ends that.
    await person.history.hover()
    await person.page.mouse.wheel(0, -200)
    await toNewest.waitFor()
    await server.as(ada).post(`${path}/speech`, { text: 'one more' }).expect(200)
    await toNewest.getByText('1 new').waitFor()
  })
})
