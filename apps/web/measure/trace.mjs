// What Chromium itself has noted of a page: which of its threads did what, when, and how much of that on the processor.

const CATEGORIES = ['__metadata', 'toplevel', 'devtools.timeline', 'v8', 'blink.user_timing', 'cc', 'viz', 'gpu']
/** What is shorter than this is too much to keep, and too short to matter. */
const SHORT_US = 100
const ORIGIN = 'origin of the clock'

/**
 * Does something with a page, and returns what that returns with what happened meanwhile, in milliseconds of the page's
 * own clock, and which thread is the page's own.
 */
export async function traced(page, act) {
  const session = await page.context().browser().newBrowserCDPSession()
  const names = new Map()
  const noted = []
  let origin
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) {
      const thread = `${event.pid} ${event.tid}`
      if (event.name === 'thread_name') names.set(thread, event.args.name)
      if (event.name === ORIGIN) origin = { thread, ts: event.ts }
      if (event.ph === 'X' && event.dur > SHORT_US) noted.push({ thread, event })
    }
  })
  const traceConfig = { recordMode: 'recordAsMuchAsPossible', includedCategories: CATEGORIES }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  const originMs = await page.evaluate((name) => performance.mark(name).startTime, ORIGIN)
  const result = await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const time = (ts) => (ts - origin.ts) / 1_000 + originMs
  const events = noted.map(({ thread, event: { name, ts, dur, tdur = 0 } }) => ({
    name,
    thread,
    threadName: names.get(thread) ?? '',
    begin: time(ts),
    end: time(ts + dur),
    cpu: tdur / 1_000,
  }))
  return { result, events, mainThread: origin.thread }
}
