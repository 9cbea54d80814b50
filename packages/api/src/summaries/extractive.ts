import { Worker } from 'node:worker_threads'
import type { ByteString } from '@collab-spaces/db/byte-string'
import { EXTRACTIVE_MODEL } from '@collab-spaces/summarizer'
import type { FromWorker, ToWorker } from './worker.js'
import type { Decided, SummarySource, SummaryWriter } from './writer.js'

const PROGRAM = new URL('./worker.js', import.meta.url)
/** A thread takes some ten megabytes, and a fifth of a second to start and become fast: it is kept for a while. */
const KEPT_MS = 5 * 60_000
/** How long a thread may take to be free again when its summary is given up. Its turn lasts as long. */
const FINISHED_MS = 250
/** Many times what a summary needs, however long the window. */
const HEAP_MB = 256

/** A thread that has nothing to do, and what ends it if that stays so. */
interface Idle {
  readonly worker: Worker
  readonly end: NodeJS.Timeout
}

/** The built-in summarizer, in threads of its own: as many as there are summaries being written at a time. */
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
    const outcome = await summarized(worker, source.pieces, decided, signal)
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
    // It must not keep the process from ending.
    worker.unref()
    return worker
  }

  #keep(worker: Worker): void {
    // Not those of Node itself, without which it hears nothing more.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    // One that fails while it has nothing to do ends, and is never heard of again.
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

/** The fate of a summary: the worker has it, or is free again without it, or is of no more use. */
type Outcome = { readonly text: string } | { readonly failed: unknown } | { readonly lost: unknown }

/**
 * Gives a worker what it asks for until it has the summary. When that is given up, or cannot be read on, there is nothing
 * more for it: most are done with what they have before another one would have started.
 */
function summarized(
  worker: Worker,
  pieces: SummarySource['pieces'],
  decided: Decided,
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
    send({ kind: 'start', decided })
  })
}
