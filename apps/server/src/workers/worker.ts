import type { Logger } from 'pino'
import { DiskWatch } from '../disk-watch.js'
import type { Running } from '../serve.js'
import type { Settings } from '../settings.js'
import type { Assignment, Report } from './assignment.js'

/** Serves on the storage of the primary process, which also logs the state of its disk. */
export async function serveAssignment(settings: Settings, log: Logger): Promise<Running> {
  // A scrape asks all workers, also those that are starting.
  if (settings.metricsPort !== undefined) (await import('../metrics.js')).answerScrapes()
  const assigned = new Promise<Assignment>((resolve) => {
    process.on('message', (message: object) => 'connection' in message && resolve(message as Assignment))
  })
  await report({ kind: 'waiting' })
  const { isReplica, ...storage } = await assigned
  const { serve } = await import('../serve.js')
  const silent = log.child({}, { level: 'silent' })
  const { directory } = storage
  const disk = directory === undefined ? null : await DiskWatch.start(directory, settings.minFreeDiskMb, silent)
  const stop = async () => disk?.close()
  return serve(settings, log, { ...storage, ...(disk && { isDiskLow: () => disk.isLow }), stop }, { isReplica })
}

/** Resolves when the primary process has the report. */
export const report = (report: Report) =>
  new Promise<void>((resolve) => {
    process.send?.(report, undefined, undefined, () => resolve())
  })
