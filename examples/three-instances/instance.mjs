import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))
const RESTART_DELAY_MS = 1_000

/** A server process that is started again when it ends by itself. */
export class Instance {
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null
  #wanted = false

  /**
   * @param {string} name
   * @param {NodeJS.ProcessEnv} environment
   * @param {(line: string) => void} say
   */
  constructor(name, environment, say) {
    this.name = name
    this.environment = environment
    this.say = say
  }

  /** Resolves when it serves. Rejects when it ends instead, after it said why on standard error. */
  async start() {
    this.#wanted = true
    const server = spawn(process.execPath, [SERVER], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Ctrl-C is for the parent, which stops the instances in order.
      detached: true,
    })
    this.#process = server
    const lines = createInterface({ input: server.stdout })
    const ended = once(server, 'exit').then(() => {
      if (this.#process === server) this.#process = null
      throw new Error(`${this.name} ended`)
    })
    await Promise.race([once(lines, 'line'), ended])
    this.say(`${this.name} serves (process ${server.pid})`)
    ended.catch(() => this.#startAgain())
  }

  async stop() {
    this.#wanted = false
    const server = this.#process
    if (!server) return
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }

  async #startAgain() {
    if (!this.#wanted) return
    this.say(`${this.name} has ended; starting it again`)
    await delay(RESTART_DELAY_MS)
    if (this.#wanted) await this.start().catch(() => this.#startAgain())
  }
}
