import { type DestinationStream, type Logger, pino } from 'pino'
import type { Settings } from './settings.js'

/** JSON lines are written together: a write for each would cost more than the line. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 200

/** The log, on standard error: JSON for programs, and text for people. */
export async function openLog({ logLevel, logFormat }: Settings): Promise<Logger> {
  const isText = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY)
  const lines = pino.destination({ dest: 2, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
  return pino({ level: logLevel }, isText ? await text() : lines)
}

/** One line for each, with the local time, as it happens. */
async function text(): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
  })
  return { write: (line) => void process.stderr.write(format(line)) }
}

export type Say = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void

/** The log for packages that know none. */
export const sayTo =
  (log: Logger): Say =>
  (level, message, fields = {}) =>
    log[level](fields, message)
