import { Worker } from 'node:worker_threads'
import { EXTRACTIVE_MODEL } from '@collab-spaces/summarizer'
import type { FromWorker, ToWorker } from './worker.js'
import type { Decided, SummarySource, SummaryWriter } from './writer.js'

const PROGRAM = new URL('./worker.js', import.meta.url)
/** A thread takes some ten megabytes, and a tenth of a second to start: it is kept for a while. */
const KEPT_MS = 30_000
/** Many times what a summary needs, however long the window. */
const HEAP_MB = 256

/** The built-in summarizer, in threads of its own: as many as there are summaries being written at a time. */
export class ExtractiveWriter implements SummaryWriter {
  readonly model = EXTRACTIVE_MODEL
  readonly atOnce = 2
  readonly longestMs = 60_000
  readonly #idle: Worker[] = []

  async write(source: SummarySource, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const decided = await source.readDecisions()
    signal.throwIfAborted()
    const worker = this.#idle.pop() ?? new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    // It must not keep the process from ending.
    worker.unref()
    try {
      const text = await summarized(worker, source.pieces, decided, signal)
      this.#keep(worker)
      return text
    } catch (error) {
      void worker.terminate()
      throw error
    }
  }

  #keep(worker: Worker): void {
    // Not those of Node itself, without which it hears nothing more.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    // One that fails while it has nothing to do is found out when it is given something.
    worker.on('error', () => {})
    this.#idle.push(worker)
    setTimeout(() => {
      const index = this.#idle.indexOf(worker)
      if (index === -1) return
      this.#idle.splice(index, 1)
      void worker.terminate()
    }, KEPT_MS).unref()
  }
}

/** Gives a worker what it asks for until it has the summary. Work that is given up ends with its worker. */
function summarized(
  worker: Worker,
  pieces: SummarySource['pieces'],
  decided: Decided,
  signal: AbortSignal,
): Promise<string> {
  const send = (message: ToWorker) => worker.postMessage(message)
  const source = pieces[Symbol.asyncIterator]()
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The summarizer ended with code ${code}`)))
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'done') return resolve(message.text)
      source.next().then(({ done, value }) => send({ kind: 'piece', piece: done ? null : value }), reject)
    })
    send({ kind: 'start', decided })
  })
}
