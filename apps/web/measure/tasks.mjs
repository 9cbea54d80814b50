// Processor time that a page takes while something is done with it, which is the same however busy the machine is.

/** A task of the page's own thread that takes longer keeps a reader waiting. */
export const LONG_TASK_MS = 50
const TASK = 'ThreadControllerImpl::RunTask'
/** Longer parts of a long task are told: scripts, style, layout, painting and the collection of garbage. */
const TOLD_MS = 5

/** The figures that something returns which is done with a page, and those of the tasks of its own thread meanwhile. */
export async function withTasks(page, act) {
  const browser = page.context().browser()
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  let figures
  let trace
  try {
    figures = await act()
  } finally {
    trace = await browser.stopTracing()
  }
  const events = JSON.parse(trace.toString()).traceEvents.filter(({ tdur }) => tdur !== undefined)
  // Of all threads of the browser, that of the page asks for frames.
  const threads = new Set(events.filter(({ name }) => name === 'FireAnimationFrame').map(threadOf))
  const own = events.filter((one) => one.name === TASK && threads.has(threadOf(one)))
  const long = own.filter(({ tdur }) => tdur > LONG_TASK_MS * 1_000)
  for (const task of long) process.stdout.write(`    a long task: ${partsOf(task, events)}\n`)
  return {
    ...figures,
    'long tasks': long.length,
    'longest task': Math.round(Math.max(0, ...own.map(({ tdur }) => tdur)) / 1_000),
  }
}

const threadOf = ({ pid, tid }) => `${pid} ${tid}`

/** The parts of a task, with the processor time that each took, in milliseconds; one may be within another. */
function partsOf(task, events) {
  const isWithin = (one) => threadOf(one) === threadOf(task) && one.ts >= task.ts && one.ts < task.ts + task.dur
  return events
    .filter((one) => one.tdur > TOLD_MS * 1_000 && isWithin(one))
    .map(({ name, tdur }) => `${name} ${Math.round(tdur / 1_000)}`)
    .join(', ')
}
