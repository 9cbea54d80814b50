// Measures the frames of a history of 100,000 events, or as many as are asked for, while it is scrolled up and down and
// from its end to its beginning, how long jumps into it take, and what it keeps in memory. Each run is in a window of
// its own; the medians of all runs come last:
//
//   pnpm build && pnpm --filter @collab-spaces/web measure:scrolling [events] [runs]
//
// Frames are what a reader sees, and longer on a busy machine. Tasks are in the processor's own time, which is not.
import { onStage, signedIn } from '../stage.mjs'
import { makeLongHistory, SPACE } from './long-history.mjs'
import { tasksDuring } from './tasks.mjs'

const [COUNT = 100_000, RUNS = 3] = process.argv.slice(2).map(Number)
/** Pixels in each frame: reading fast, and dragging the bar. */
const SPEEDS = { fast: 150, 'very fast': 2_000 }
const SCROLL_MS = 2_500
/** On a busy machine, a run is given up on its way to the beginning, and says how far it came. */
const TO_BEGINNING_MS = 45_000
const JUMPS = 5

await onStage(async (stage) => {
  const { actor, ids } = await makeLongHistory(stage, COUNT)
  const runs = []
  for (let run = 1; run <= RUNS; run++) {
    process.stdout.write(`run ${run} of ${RUNS}\n`)
    runs.push(await measure(stage, actor, ids))
  }
  process.stdout.write(`median of ${RUNS}\n`)
  for (const what of Object.keys(runs[0])) report(what, medians(runs.map((figures) => figures[what])))
})

/** What each part of a run has shown, by its name. */
async function measure({ url, browser }, actor, ids) {
  const page = await signedIn(browser, url, actor, { viewport: { width: 1280, height: 800 } })
  const figures = {}
  const note = async (what, found) => {
    figures[what] = await found
    report(what, figures[what])
  }
  try {
    const memory = await memoryOf(page)
    await page.goto(`${url}/s/${SPACE}`)
    await page.getByText(`number ${COUNT - 1}:`, { exact: false }).waitFor()
    await note('memory at the end', memory())
    for (const [name, pixels] of Object.entries(SPEEDS)) {
      await note(`up, ${name}`, scrolling(page, -pixels))
      await note(`down, ${name}`, scrolling(page, pixels))
    }
    await note('up to the beginning', toBeginning(page))
    await note('memory after that', memory())
    await note('jumps, in ms', jumps(page, ids))
    await note('memory after the jumps', memory())
  } finally {
    await page.context().close()
  }
  return figures
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

/** Scrolls by so much in each frame. */
function scrolling(page, pixels) {
  return framesUntil(page, { pixels, most: SCROLL_MS })
}

/** Goes to the top again and again, as by the Home key, until nothing comes before it. */
async function toBeginning(page) {
  const begin = Date.now()
  const figures = await framesUntil(page, { pixels: null, most: TO_BEGINNING_MS })
  const first = await page
    .getByRole('log')
    .getByText(/^number \d/)
    .first()
    .textContent()
  return { ...figures, seconds: Math.round((Date.now() - begin) / 1_000), first: Number(/\d+/.exec(first)?.[0]) }
}

/** Scrolls in each frame for so long, or until the first event is there, and tells what the frames took. */
function framesUntil(page, how) {
  return tasksDuring(page, async () => {
    const frames = await page.evaluate(
      ({ pixels, most }) =>
        new Promise((resolve) => {
          const frames = []
          const begin = performance.now()
          let last = begin
          const next = (now) => {
            frames.push(now - last)
            last = now
            const log = document.querySelector('[role=log]')
            if (pixels === null) log.scrollTo(0, 0)
            else log.scrollBy(0, pixels)
            const isThere = pixels === null && log.querySelector('article')?.textContent.includes('number 0:')
            if (isThere || now - begin > most) resolve(frames)
            else requestAnimationFrame(next)
          }
          requestAnimationFrame(next)
        }),
      how,
    )
    return summary(frames)
  })
}

async function jumps(page, ids) {
  const took = []
  for (let jump = 1; jump <= JUMPS; jump++) {
    const id = ids[Math.floor((ids.length * jump) / (JUMPS + 1))]
    const begin = Date.now()
    await page.evaluate((path) => window.history.pushState(null, '', path), `/s/${SPACE}/e/${id}`)
    await page.locator(`#event-${id}`).waitFor()
    took.push(Date.now() - begin)
  }
  return { median: median(took), most: Math.max(...took) }
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

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

/** Of each figure by itself. */
function medians(runs) {
  const names = Object.keys(runs[0])
  return Object.fromEntries(names.map((name) => [name, median(runs.map((figures) => figures[name]))]))
}

function report(what, figures) {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`  ${what.padEnd(24)} ${words.join(', ')}\n`)
}
