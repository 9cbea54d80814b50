// Measures the processor time of a page during an action, which does not depend on the load of the machine.

/** A longer task on the main thread is noticeable. */
export const LONG_TASK_MS = 50
const TASK = 'ThreadControllerImpl::RunTask'
/** Longer parts of a long task are reported: scripts, style, layout, paint and garbage collection. */
const TOLD_MS = 5

/** Returns the figures of an action on a page, and those of main-thread tasks meanwhile. */
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
  // The page's main thread is the one that requests frames.
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

/** Returns the parts of a task with their processor time in milliseconds. Parts may be nested. */
function partsOf(task, events) {
  const isWithin = (one) => threadOf(one) === threadOf(task) && one.ts >= task.ts && one.ts < task.ts + task.dur
  return events
    .filter((one) => one.tdur > TOLD_MS * 1_000 && isWithin(one))
    .map(({ name, tdur }) => `${name} ${Math.round(tdur / 1_000)}`)
    .join(', ')
}
