// Measures the frames of a history of 100,000 events, or as many as are asked for, while it is scrolled up and down and
// from its end to its beginning, how long jumps into it take, and what it keeps in memory. Each run is in a window of
// its own; the medians of all runs come last:
//
//   pnpm build && pnpm --filter @collab-spaces/web measure:scrolling [events] [runs]
//
// Frames are what a reader sees, and longer on a busy machine, or on one that draws without a graphics card. So each run
// also scrolls a page that does nothing, and the trace of Chromium tells what each long frame was made of: `of its own`
// are those during which the page's own thread was on the processor for that long.

import { onStage, signedIn } from '../stage.mjs'
import { controlOf } from './control.mjs'
import { framesOf, LONG_MS } from './frames.mjs'
import { makeLongHistory, SPACE } from './long-history.mjs'

const [COUNT = 100_000, RUNS = 3] = process.argv.slice(2).map(Number)
const VIEWPORT = { width: 1280, height: 800 }
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
    say(`run ${run} of ${RUNS}`)
    runs.push(await measure(stage, actor, ids))
  }
  say(`median of ${RUNS}`)
  for (const what of Object.keys(runs[0].figures)) report(what, medians(runs.map(({ figures }) => figures[what])))
  conclude(runs)
})

/** What each part of a run has shown, by its name, and how many frames were long: of the page, and of the control. */
async function measure({ url, browser }, actor, ids) {
  const page = await signedIn(browser, url, actor, { viewport: VIEWPORT })
  const run = { figures: {}, page: [], control: [] }
  const note = (what, figures) => {
    run.figures[what] = figures
    report(what, figures)
  }
  const noteFrames = async (what, whose, frames) => {
    const { figures, long } = await frames
    note(what, figures)
    run[whose].push({ frames: figures.frames, long: long.length, most: figures['most of its own'] })
    if (long.length > 0) report(`  of those > ${LONG_MS}`, averages(long))
  }
  try {
    const memory = await memoryOf(page)
    await page.goto(`${url}/s/${SPACE}`)
    await page.getByText(`number ${COUNT - 1}:`, { exact: false }).waitFor()
    note('memory at the end', await memory())
    for (const [name, pixels] of Object.entries(SPEEDS)) {
      const how = { selector: '[role=log]', most: SCROLL_MS }
      await noteFrames(`up, ${name}`, 'page', framesOf(page, { ...how, pixels: -pixels }))
      await noteFrames(`down, ${name}`, 'page', framesOf(page, { ...how, pixels }))
      await noteFrames(
        `control, ${name}`,
        'control',
        controlOf(browser, { viewport: VIEWPORT, pixels, most: 2 * SCROLL_MS }),
      )
    }
    await noteFrames('to the beginning', 'page', toBeginning(page))
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

/** Goes to the top again and again, as by the Home key, until nothing comes before it. */
async function toBeginning(page) {
  const begin = Date.now()
  const how = { selector: '[role=log]', pixels: null, most: TO_BEGINNING_MS, until: 'number 0:' }
  const { figures, long } = await framesOf(page, how)
  const first = await page
    .getByRole('log')
    .getByText(/^number \d/)
    .first()
    .textContent()
  const seconds = Math.round((Date.now() - begin) / 1_000)
  return { figures: { ...figures, seconds, first: Number(/\d+/.exec(first)?.[0]) }, long }
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

/** What the runs say of the one question: whether the page keeps anybody waiting for a frame. */
function conclude(runs) {
  const most = Math.max(...runs.flatMap(({ page }) => page.map(({ most }) => most)))
  say(
    `In the median run, ${inWords(runs.map(({ page }) => page))} took longer than ${LONG_MS} ms, and of the page that ` +
      `does nothing ${inWords(runs.map(({ control }) => control))}. In the worst frame of all runs, the thread of the page ` +
      `itself was on the processor for ${most} ms.`,
  )
}

/** How many frames were long, in the run that is in the middle. */
function inWords(runs) {
  const sums = runs.map((parts) => ({
    frames: parts.reduce((sum, { frames }) => sum + frames, 0),
    long: parts.reduce((sum, { long }) => sum + long, 0),
  }))
  const { long, frames } = sums.toSorted((a, b) => a.long / a.frames - b.long / b.frames)[sums.length >> 1]
  return `${long} of ${frames} frames`
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

/** Of each figure by itself. */
function medians(figures) {
  return combined(figures, median)
}

function averages(figures) {
  return combined(figures, (numbers) => Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length))
}

function combined(figures, how) {
  const names = Object.keys(figures[0])
  return Object.fromEntries(names.map((name) => [name, how(figures.map((one) => one[name]))]))
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
