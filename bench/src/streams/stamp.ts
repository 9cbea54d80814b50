/** A moment that travels in the text of an event. Every process of a machine reads the same clock. */

/** Two characters that stand nowhere else in an event, and sixteen digits. */
export const MARK = '@@'
export const STAMP_LENGTH = MARK.length + 16

/** Microseconds since some moment. */
export function micros(): number {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1_000_000 + Math.floor(nanos / 1_000)
}

export const stamp = (): string => MARK + String(micros()).padStart(16, '0')
