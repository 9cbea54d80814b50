import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The delay of a restart. A failed machine takes a while to return, and until then the others must continue. */
const RESTART_AFTER_MS = 10_000
const STOP_TIMEOUT_MS = 20_000

/**
 * @typedef {object} DaemonOptions
 * @property {string} name
 * @property {string} command
 * @property {readonly string[]} [args]
 * @property {Record<string, string>} environment
 * @property {string} logFile
 * @property {{ uid: number, gid: number } | undefined} user Who runs it, if not the user of this program.
 */

/** A program that is restarted when it exits unexpectedly. */
export class Daemon {
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null
  #ending = new AbortController()

  /**
   * @param {DaemonOptions} options
   * @param {(line: string) => void} say
   */
  constructor(options, say) {
    this.options = options
    this.say = say
  }

  start() {
    const { name, command, args = [], environment, logFile, user } = this.options
    const log = openSync(logFile, 'a')
    const process = spawn(command, args, {
      env: environment,
      stdio: ['ignore', log, log],
      // Ctrl-C must reach only the parent, which stops everything in order.
      detached: true,
      ...user,
    })
    this.#process = process
    process.once('error', (error) => this.say(`${name} does not start: ${error.message}`))
    process.once('spawn', () => this.say(`${name} runs (process ${process.pid})`))
    process.once('exit', () => void this.#startAgain())
  }

  async stop() {
    this.#ending.abort()
    const process = this.#process
    if (!process?.pid || process.exitCode !== null || process.signalCode !== null) return
    const ended = once(process, 'exit')
    process.kill('SIGTERM')
    // It may be frozen.
    process.kill('SIGCONT')
    const late = setTimeout(() => process.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(late)
  }

  async #startAgain() {
    const { signal } = this.#ending
    if (signal.aborted) return
    this.say(`${this.options.name} has ended; starting it again in ${RESTART_AFTER_MS / 1_000} seconds`)
    await delay(RESTART_AFTER_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) this.start()
  }
}
