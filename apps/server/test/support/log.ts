import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { LINES } from '../../src/log.js'

/** Creates a logger that keeps the lines of every level. */
export function capturingLog(): { readonly log: Logger; text(): string; lines(): Record<string, unknown>[] } {
  const chunks: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const text = () => chunks.join('')
  return {
    log: pino({ ...LINES, level: 'trace' }, sink),
    text,
    lines: () =>
      text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}
