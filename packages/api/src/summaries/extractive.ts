import { Worker } from 'node:worker_threads'
import type { ByteString } from '@collab-spaces/db/byte-string'
import { EXTRACTIVE_MODEL } from '@collab-spaces/summarizer'
import type { FromWorker, ToWorker } from './worker.js'
import type { SummarySource, SummaryWriter, WindowDecisions } from './writer.js'

const PROGRAM = new URL('./worker.js', import.meta.url)
/** How long an idle thread is kept: it takes ten megabytes, and a fifth of a second to start and warm up. */
const KEPT_MS = 5 * 60_000
/** How long a thread may take to become idle after an abort. It keeps its turn meanwhile. */
const FINISHED_MS = 250
/** Many times the memory of a summary of any window. */
const HEAP_MB = 256

/** An idle thread and its timeout. */
interface Idle {
  readonly worker: Worker
  readonly end: NodeJS.Timeout
}

/** The built-in summarizer, one worker thread per concurrent summary. */
export class ExtractiveWriter implements SummaryWriter {
  readonly model = EXTRACTIVE_MODEL
  readonly atOnce = 2
  readonly longestMs = 60_000
  readonly #idle: Idle[] = []

  async write(source: SummarySource, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const decided = await source.readDecisions()
    signal.throwIfAborted()
    const worker = this.#take()
    const outcome = await summarized(worker, source, decided, signal)
    if ('lost' in outcome) {
      void worker.terminate()
      throw outcome.lost
    }
    this.#keep(worker)
    if ('failed' in outcome) throw outcome.failed
    return outcome.text
  }

  #take(): Worker {
    const idle = this.#idle.pop()
    clearTimeout(idle?.end)
    if (idle) return idle.worker
    const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    // It must not keep the process alive.
    worker.unref()
    return worker
  }

  #keep(worker: Worker): void {
    // Keeps Node's own listeners, which deliver messages.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    // An idle thread that fails just ends.
    worker.on('error', () => {})
    worker.once('exit', () => this.#forget(worker))
    const end = setTimeout(() => {
      this.#forget(worker)
      void worker.terminate()
    }, KEPT_MS)
    this.#idle.push({ worker, end: end.unref() })
  }

  #forget(worker: Worker): void {
    const at = this.#idle.findIndex((idle) => idle.worker === worker)
    for (const { end } of at === -1 ? [] : this.#idle.splice(at, 1)) clearTimeout(end)
  }
}

/** The outcome of a summary: done, failed with a reusable worker, or failed with a lost worker. */
type Outcome = { readonly text: string } | { readonly failed: unknown } | { readonly lost: unknown }

/**
 * Sends a worker the requested pieces until it has the summary. After an abort or a failed read, it gets no more pieces:
 * most workers become idle sooner than a new one would start.
 */
function summarized(
  worker: Worker,
  { pieces, language }: SummarySource,
  decided: WindowDecisions,
  signal: AbortSignal,
): Promise<Outcome> {
  const send = (message: ToWorker) => worker.postMessage(message)
  const source = pieces[Symbol.asyncIterator]()
  return new Promise((resolve) => {
    let failure: { readonly failed: unknown } | undefined
    let timer: NodeJS.Timeout | undefined
    let isAwaited = false
    const give = (piece: ByteString | null) => {
      if (isAwaited) send({ kind: 'piece', piece })
      isAwaited = false
    }
    const fail = (failed: unknown) => {
      failure ??= { failed }
      timer ??= setTimeout(() => resolve({ lost: failed }), FINISHED_MS)
      give(null)
    }
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    worker.once('error', (lost) => end({ lost }))
    worker.once('exit', (code) => end({ lost: new Error(`The summarizer ended with code ${code}`) }))
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'done') return end(failure ?? { text: message.text })
      isAwaited = true
      if (failure) give(null)
      else source.next().then(({ done, value }) => give(done ? null : value), fail)
    })
    send({ kind: 'start', decided, language })
  })
}
