// Measures the frames of a history of 100,000 events, or as many as are asked for, while it is scrolled from its end
// towards its beginning and back, how long jumps into it take, and what it keeps in memory:
//
//   pnpm build && pnpm --filter @collab-spaces/web measure:scrolling [events]
import { createClient } from '@collab-spaces/client'
import { onStage, signedIn } from '../stage.mjs'

const COUNT = Number(process.argv[2] ?? 100_000)
const BATCH = 100
const AT_ONCE = 4
/** Pixels in each frame: reading fast, and dragging the bar. */
const SPEEDS = { fast: 150, 'very fast': 2_000 }
const SCROLL_MS = 20_000
const JUMPS = 10

await onStage(async ({ url, browser }) => {
  const { api_key, display_name } = await register(url)
  const ids = await write(url, api_key)
  const page = await signedIn(browser, url, { api_key, display_name }, { viewport: { width: 1280, height: 800 } })
  const memory = await memoryOf(page)
  await page.goto(`${url}/s/long`)
  await page.getByText(`number ${COUNT - 1}`, { exact: false }).waitFor()
  report('memory at the end of the history', await memory())
  for (const [name, pixels] of Object.entries(SPEEDS)) {
    report(`up, ${name}`, await scroll(page, -pixels))
    report(`down, ${name}`, await scroll(page, pixels))
  }
  report('up to the beginning', await scrollToBeginning(page))
  report('memory at the beginning', await memory())
  report('jumps, in ms', await jumps(page, url, ids))
  report('memory after the jumps', await memory())
})

function register(url) {
  return createClient({ url }).actor.register.mutate({ display_name: 'Ada', email: 'ada@example.org' })
}

/** Lines of different heights, some with Markdown and code, by different speakers. */
async function write(url, token) {
  const client = createClient({ url, token })
  await client.space.create.mutate({ space_id: 'long' })
  await client.participant.join.mutate({ space_id: 'long' })
  const ids = []
  const batchFrom = (from) =>
    Array.from({ length: Math.min(BATCH, COUNT - from) }, (_, at) => {
      const n = from + at
      const speaker = `speaker ${(n * 7) % 5}`
      const code = n % 9 === 0 ? '\n\n```ts\nconst answer = await ask(42) // of many\n```' : ''
      return {
        speaker_id: speaker,
        speaker_name: speaker,
        speaker_type: n % 3 === 0 ? 'agent' : 'human',
        text: `number ${n}: **so** it goes on, \`again\` and again. ${'and so on '.repeat((n * 7) % 60)}${code}`,
      }
    })
  for (let from = 0; from < COUNT; from += BATCH * AT_ONCE) {
    const starts = Array.from({ length: AT_ONCE }, (_, at) => from + at * BATCH).filter((start) => start < COUNT)
    for (const start of starts) {
      const events = await client.event.appendBatch.mutate({ space_id: 'long', events: batchFrom(start) })
      ids.push(...events.map(({ event_id }) => event_id))
    }
  }
  return ids
}

async function memoryOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted) => metrics.find(({ name }) => name === wanted).value
    return { 'heap MB': Math.round(of('JSHeapUsedSize') / 1e5) / 10, 'DOM nodes': of('Nodes') }
  }
}

/** Scrolls by so much in each frame, and returns what the frames took. */
async function scroll(page, pixels) {
  const frames = await page.evaluate(
    ([pixels, during]) =>
      new Promise((resolve) => {
        const log = document.querySelector('[role=log]')
        const frames = []
        const begin = performance.now()
        let last = begin
        const next = (now) => {
          frames.push(now - last)
          last = now
          log.scrollBy(0, pixels)
          if (now - begin < during) requestAnimationFrame(next)
          else resolve(frames)
        }
        requestAnimationFrame(next)
      }),
    [pixels, SCROLL_MS],
  )
  return summary(frames)
}

/** Goes to the top again and again, as by the Home key, until nothing comes before it. */
async function scrollToBeginning(page) {
  const begin = Date.now()
  const frames = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const frames = []
        let last = performance.now()
        const next = (now) => {
          frames.push(now - last)
          last = now
          const log = document.querySelector('[role=log]')
          log.scrollTo(0, 0)
          if (log.textContent.includes('number 0:')) resolve(frames)
          else requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
  )
  return { ...summary(frames), seconds: Math.round((Date.now() - begin) / 1_000) }
}

async function jumps(page, url, ids) {
  const took = []
  for (let jump = 1; jump <= JUMPS; jump++) {
    const id = ids[Math.floor((ids.length * jump) / (JUMPS + 1))]
    const begin = Date.now()
    await page.evaluate(
      (path) => {
        history.pushState(null, '', path)
      },
      `${new URL(url).pathname}s/long/e/${id}`,
    )
    await page.locator(`#event-${id}`).waitFor()
    took.push(Date.now() - begin)
  }
  return { median: took.toSorted((a, b) => a - b)[JUMPS >> 1], most: Math.max(...took) }
}

function summary(frames) {
  const sorted = frames.slice(1).toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] * 10) / 10
  const over = (ms) => sorted.filter((frame) => frame > ms).length
  return {
    frames: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    '> 50': over(50),
    '> 100': over(100),
  }
}

function report(what, figures) {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${what.padEnd(34)} ${words.join(', ')}\n`)
}
