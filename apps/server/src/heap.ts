import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const FIXED_YOUNG = '--semi-space-growth-factor=1'
const GROWING_YOUNG = '--semi-space-growth-factor=2'

/** Sets how much memory a start takes. Call it before the program is loaded. */
export function prepareHeap(): void {
  // The modules of a start outlive the young generation, which would grow to 32 MB for them and stay so.
  setFlagsFromString(FIXED_YOUNG)
  // Prisma's compiler in WebAssembly runs once for each kind of query. To optimize it takes 20 MB.
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  // Without a navigator, which Node 20 lacks, `pg` creates a Response to detect its platform, which loads Node's HTTP
  // client: 4 MB.
  if (!('navigator' in globalThis))
    Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.version}` } })
}

/** Sets how V8 collects garbage from now on. Call it after the start, which it would slow down. */
export function tuneHeap(): void {
  setFlagsFromString(GROWING_YOUNG)
  // By default, V8 lets a small heap grow to four times its size, and that of a new process to 256 MB, before it collects
  // old objects. It collects after a quarter of what lives: large answers are mostly garbage by then.
  setFlagsFromString('--heap-growing-percent=25')
  // V8 learns which objects live long, and allocates their like in the old generation. For the objects of a request, which
  // live as long as the database takes, it sometimes errs for good: dead ones keep pages of live ones in memory, and
  // moving these took a third of the time of a list.
  setFlagsFromString('--no-allocation-site-pretenuring')
}

const COLLECT_AFTER_BYTES = 4 * 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | null = null
let passed = 0

/**
 * Counts bytes of a transfer, and collects the young generation after every few megabytes. V8 hardly sees the buffers of
 * such bytes, as they are outside its heap: it would let 64 MB of them die, and then mark the whole heap.
 */
export function countBuffers(bytes: number): void {
  passed += bytes
  if (passed < COLLECT_AFTER_BYTES) return
  passed = 0
  collectYoung()
}

const QUIET_INTERVAL_MS = 1_000
/** Below this share of its time, the event loop is quiet. It includes waiting for the processor. */
const QUIET_UTILIZATION = 0.3
const SMALL_YOUNG_BYTES = 4 * 1024 * 1024

/**
 * Gives back the memory of the young generation, once little is left to do. It grows with a burst to 32 MB, and V8 shrinks
 * it only at a collection that finds little allocated in the last five seconds: a quiet server has none.
 */
export function shrinkWhenQuiet(): void {
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization < QUIET_UTILIZATION && youngBytes() > SMALL_YOUNG_BYTES) collectYoung()
  }, QUIET_INTERVAL_MS).unref()
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

function collectYoung(): void {
  collect ??= openCollector()
  // What survives so many collections would double the young generation each time it has added up to its size.
  setFlagsFromString(FIXED_YOUNG)
  collect({ type: 'minor' })
  setFlagsFromString(GROWING_YOUNG)
}

function openCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
