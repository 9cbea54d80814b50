import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const MEGABYTE = 1_048_576
/** A server that is only busy has less than this in use, with its garbage. */
const LARGE_BYTES = 128 * MEGABYTE
const LOOK_EVERY_MS = 200

/**
 * How much the old objects may grow before V8 looks for garbage among them, in percent. By itself it lets a small heap
 * grow to four times its size, and that of a process that has just started to 256 MB: large answers are mostly garbage by
 * then. To look seldom saves a busy server time, and costs it as much memory as it needs. One that holds much for those
 * who attack it would take twice that: it looks more often instead.
 */
const growthPercent = (usedBytes: number) => (usedBytes > LARGE_BYTES ? 25 : 100)

/** Bounds the garbage of this process from now on. V8 reads the flag whenever it has looked. */
export function boundGarbage(): void {
  let percent: number | undefined
  const look = () => {
    const wanted = growthPercent(getHeapStatistics().used_heap_size)
    if (wanted !== percent) setFlagsFromString(`--heap-growing-percent=${wanted}`)
    percent = wanted
  }
  look()
  setInterval(look, LOOK_EVERY_MS).unref()
}
