import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from './settings.js'

/** JSON lines are written in batches, as a write costs more than a line. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 200
/** The maximum of unwritten lines; beyond it, lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576

/** Levels by name, and ISO times. */
export const LINES: LoggerOptions = {
  formatters: { level: (level) => ({ level }) },
  timestamp: pino.stdTimeFunctions.isoTime,
}

/** Opens the log on standard error: JSON for programs, or text for humans. */
export async function openLog({ logLevel, logFormat }: Settings): Promise<Logger> {
  const isText = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY)
  return pino({ ...LINES, level: logLevel }, isText ? await text() : lines())
}

/** A full disk delays lines and a closed reader loses them; neither stops the server. */
function lines(): DestinationStream {
  const stream = pino.destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING_BYTES,
  })
  const { flushSync } = stream
  // At exit, it would retry forever.
  stream.on('error', () => {
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return stream
}

/** Text lines with the local time, unbuffered. */
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

/** Returns a log function for packages without a logger. */
export const sayTo =
  (log: Logger): Say =>
  (level, message, fields = {}) =>
    log[level](fields, message)
