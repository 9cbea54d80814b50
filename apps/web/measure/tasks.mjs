// The tasks of a page by the processor's time that they take, which does not grow when other programs are busy, too.

/** A frame that takes longer than this is seen as a jerk; so is a task. */
const LONG_MS = 50

/** Does something with a page, and says how long its tasks were meanwhile: those of the thread that runs its scripts. */
export async function tasksDuring(page, act) {
  const session = await page.context().browser().newBrowserCDPSession()
  const found = []
  const threads = new Set()
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args, pid, tid, tdur } of value) {
      if (name === 'thread_name' && args.name === 'CrRendererMain') threads.add(`${pid} ${tid}`)
      if (name.endsWith('RunTask') && tdur > 1_000) found.push({ thread: `${pid} ${tid}`, ms: tdur / 1_000 })
    }
  })
  const traceConfig = { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel', '__metadata'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  const result = await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const tasks = found.filter(({ thread }) => threads.has(thread)).map(({ ms }) => ms)
  return {
    ...result,
    'longest task': Math.round(tasks.reduce((most, ms) => Math.max(most, ms), 0)),
    [`tasks > ${LONG_MS}`]: tasks.filter((ms) => ms > LONG_MS).length,
  }
}
