import type { Progress } from '@collab-spaces/operator'

const INTERVAL_MS = 2_000

/** Reports the progress of long work periodically. Short work reports nothing. */
export function progressTo(note: (line: string) => void): Progress {
  let next = performance.now() + INTERVAL_MS
  return (what, count) => {
    const now = performance.now()
    if (now < next) return
    next = now + INTERVAL_MS
    note(`${what}: ${grouped(count)}`)
  }
}

/** "1 space", "1,234 spaces" */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${grouped(count)} ${count === 1 ? noun : plural}`

/** 1,234,567 */
export const grouped = (count: number) => count.toLocaleString('en')
