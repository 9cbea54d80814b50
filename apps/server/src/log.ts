import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from './settings.js'

/** JSON lines are written together: a write for each would cost more than the line. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 200
/** What cannot be written waits, up to this: the rest is lost, so that memory is not. */
const MAX_WAITING_BYTES = 1_048_576

/** Levels by name, and times that a person can read. */
export const LINES: LoggerOptions = {
  formatters: { level: (level) => ({ level }) },
  timestamp: pino.stdTimeFunctions.isoTime,
}

/** The log, on standard error: JSON for programs, and text for people. */
export async function openLog({ logLevel, logFormat }: Settings): Promise<Logger> {
  const isText = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY)
  return pino({ ...LINES, level: logLevel }, isText ? await text() : lines())
}

/** A full disk delays lines, and a reader or a terminal that is gone loses them: neither ends the server. */
function lines(): DestinationStream {
  const stream = pino.destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING_BYTES,
  })
  const { flushSync } = stream
  // At the exit, it would retry for ever.
  stream.on('error', () => {
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return stream
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
