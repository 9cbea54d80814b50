import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { programPath } from './software.mjs'

const DOOR = fileURLToPath(new URL('haproxy.cfg', import.meta.url))
const POLL_INTERVAL_MS = 100

/**
 * haproxy in front of instances.
 *
 * @param {string} host
 * @param {number} port
 * @param {readonly number[]} instances their ports
 */
export const door = (host, port, instances) =>
  new Balancer(DOOR, {
    HOST: host,
    PORT: String(port),
    ...Object.fromEntries(instances.map((port, index) => [`INSTANCE${index + 1}`, String(port)])),
  })

/** haproxy with a configuration, whose variables are given. */
export class Balancer {
  // Short, as the path of its socket has a maximum length.
  #directory = mkdtempSync(join(tmpdir(), 'balancer-'))
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null

  /**
   * @param {string} configuration
   * @param {Record<string, string>} variables
   */
  constructor(configuration, variables) {
    this.configuration = configuration
    this.environment = { RUN_DIR: this.#directory, ...variables }
  }

  /** Resolves when it accepts connections. */
  async start() {
    this.#process = spawn('haproxy', ['-db', '-f', this.configuration], {
      env: { PATH: programPath(), ...this.environment },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    })
    const ended = once(this.#process, 'exit').then(() => {
      throw new Error('haproxy ended')
    })
    ended.catch(() => {})
    await Promise.race([this.#answers(), ended])
  }

  async stop() {
    const balancer = this.#process
    if (balancer && balancer.exitCode === null) {
      const ended = once(balancer, 'exit')
      balancer.kill('SIGTERM')
      await ended
    }
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Resolves when it sends requests to an instance. */
  async uses(/** @type {string} */ instance) {
    while ((await this.#statusOf(instance)) !== 'UP') await delay(POLL_INTERVAL_MS)
  }

  /** Reads it from the statistics, which are CSV after a first line that begins with "# ". */
  async #statusOf(/** @type {string} */ instance) {
    const [head, ...rows] = (await this.#ask('show stat')).split('\n').map((line) => line.split(','))
    const status = head?.indexOf('status') ?? -1
    return rows.find((row) => row[1] === instance)?.[status]
  }

  async #answers() {
    for (;;) {
      const known = await this.#ask('show info').catch(() => '')
      if (known !== '') return
      await delay(POLL_INTERVAL_MS)
    }
  }

  async #ask(/** @type {string} */ command) {
    const socket = connect(join(this.#directory, 'haproxy.sock'))
    socket.end(`${command}\n`)
    return text(socket)
  }
}
