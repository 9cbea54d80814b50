import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Report } from './bystander.js'

/**
 * A bystander in a dedicated thread. An attack keeps its thread busy, for up to four seconds at once: a bystander in it
 * would measure its own delay, and share connections with the attackers.
 */
export class BystanderThread {
  static async begin(url: string): Promise<BystanderThread> {
    const worker = new Worker(new URL('./bystander-worker.js', import.meta.url), { workerData: url })
    const thread = new BystanderThread(worker)
    // Rejects when the thread fails.
    await once(worker, 'message')
    return thread
  }

  private constructor(private readonly worker: Worker) {}

  /** Returns the requests since the last report. */
  async report(): Promise<Report> {
    const answer = once(this.worker, 'message')
    this.worker.postMessage('report')
    const [report] = (await answer) as [Report]
    return report
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }
}
