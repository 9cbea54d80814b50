// Measures the frames of a history of 100,000 events, or a given number, while it is scrolled up and down and from its
// end to its start, the time of jumps, and memory. Each run has a new window; the medians of all runs come last:
//
//   pnpm build && pnpm --filter @collab-spaces/web measure:scrolling [events] [runs]
//
// Frames are longer on a busy machine, or without a graphics card. So each run also scrolls a baseline page, and
// reports the processor time of tasks on the main thread. It exits with 1 if a task takes longer than 50 ms, or if more
// than one frame in a hundred is janky.

import { onStage, signedIn } from '../stage.mjs'
import { controlOf } from './control.mjs'
import { framesOf, LONG_MS } from './frames.mjs'
import { makeLongHistory, SPACE } from './long-history.mjs'
import { LONG_TASK_MS, withTasks } from './tasks.mjs'

const [COUNT = 100_000, RUNS = 3] = process.argv.slice(2).map(Number)
const VIEWPORT = { width: 1280, height: 800 }
/** Pixels per frame: fast reading, and dragging the scroll bar. */
const SPEEDS = { fast: 150, 'very fast': 2_000 }
const SCROLL_MS = 2_500
/** The timeout of scrolling to the start, after which a run reports how far it came. */
const TO_BEGINNING_MS = 45_000
const JUMPS = 5
const CONTROL = 'control'
const MAX_LONG_FRAMES = 0.01

await onStage(async (stage) => {
  const { actor, ids } = await makeLongHistory(stage, COUNT)
  const runs = []
  for (let run = 1; run <= RUNS; run++) {
    say(`run ${run} of ${RUNS}`)
    runs.push(await measure(stage, actor, ids))
  }
  say(`median of ${RUNS}`)
  for (const what of Object.keys(runs[0])) report(what, medians(runs.map((run) => run[what])))
  conclude(runs)
})

/** Returns the figures of each part of a run, by its name. */
async function measure({ url, browser }, actor, ids) {
  const page = await signedIn(browser, url, actor, { viewport: VIEWPORT })
  const run = {}
  const note = (what, figures) => {
    run[what] = figures
    report(what, figures)
  }
  try {
    const memory = await memoryOf(page)
    await page.goto(`${url}/s/${SPACE}`)
    await page.getByText(`number ${COUNT - 1}:`, { exact: false }).waitFor()
    note('memory at the end', await memory())
    for (const [name, pixels] of Object.entries(SPEEDS)) {
      const how = { selector: '[role=log]', most: SCROLL_MS }
      note(`up, ${name}`, await withTasks(page, () => framesOf(page, { ...how, pixels: -pixels })))
      note(`down, ${name}`, await withTasks(page, () => framesOf(page, { ...how, pixels })))
      note(`${CONTROL}, ${name}`, await controlOf(browser, { viewport: VIEWPORT, pixels, most: 2 * SCROLL_MS }))
    }
    note('to the beginning', await withTasks(page, () => toBeginning(page)))
    note('memory after that', await memory())
    note('jumps, in ms', await jumps(page, ids))
    note('memory after the jumps', await memory())
  } finally {
    await page.context().close()
  }
  return run
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

/** Scrolls to the top repeatedly, as the Home key does, until the first event is loaded. */
async function toBeginning(page) {
  const begin = Date.now()
  const how = { selector: '[role=log]', pixels: null, most: TO_BEGINNING_MS, until: 'number 0:' }
  const figures = await framesOf(page, how)
  const first = await page
    .getByRole('log')
    .getByText(/^number \d/)
    .first()
    .textContent()
  const seconds = Math.round((Date.now() - begin) / 1_000)
  return { ...figures, seconds, first: Number(/\d+/.exec(first)?.[0]) }
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

/** Returns whether any run exceeded the limits. */
function conclude(runs) {
  const frames = (isControl) =>
    runs.flatMap((run) =>
      Object.keys(run).flatMap((what) =>
        'long' in run[what] && what.startsWith(CONTROL) === isControl ? [run[what]] : [],
      ),
    )
  const inWords = (parts) => `${sum(parts, 'long')} of ${sum(parts, 'frames')} frames`
  const own = frames(false)
  if (sum(own, 'long') > MAX_LONG_FRAMES * sum(own, 'frames') || sum(own, 'long tasks') > 0) process.exitCode = 1
  say(
    `${inWords(own)} took longer than ${LONG_MS} ms, and of the page that does nothing ${inWords(frames(true))}. ` +
      `${sum(own, 'long tasks')} tasks of the page took more than ${LONG_TASK_MS} ms of a processor, and the longest ` +
      `${Math.max(...own.map((figures) => figures['longest task']))} ms.`,
  )
}

function sum(parts, figure) {
  return parts.reduce((sum, part) => sum + part[figure], 0)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

/** Returns the median of each figure. */
function medians(figures) {
  return Object.fromEntries(Object.keys(figures[0]).map((name) => [name, median(figures.map((one) => one[name]))]))
}

function report(what, figures) {
  say(
    `  ${what.padEnd(24)} ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  )
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
