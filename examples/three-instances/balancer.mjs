import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const CONFIGURATION = fileURLToPath(new URL('haproxy.cfg', import.meta.url))
const POLL_INTERVAL_MS = 100

/** Debian and others install haproxy where only the PATH of root leads. */
// biome-ignore lint/style/noProcessEnv: programs are found in the PATH of this one
const PATH = [process.env.PATH, '/usr/local/sbin', '/usr/sbin'].join(delimiter)

const isInstalled = () => spawnSync('haproxy', ['-v'], { env: { PATH } }).status === 0

/** Installs haproxy with apt-get, as root on Debian and the like. Throws where that is not possible. */
export function installWhenMissing(/** @type {(line: string) => void} */ say) {
  if (isInstalled()) return
  const packages = spawnSync('apt-get', ['--version'])
  if (packages.status !== 0 || process.getuid?.() !== 0) {
    throw new Error('haproxy is not installed (on Debian and Ubuntu: sudo apt-get install haproxy)')
  }
  say('Installing haproxy: apt-get install haproxy')
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  execFileSync('apt-get', ['install', '-qq', '-y', '--no-install-recommends', 'haproxy'], { stdio: 'ignore' })
}

/** haproxy in front of the instances. */
export class Balancer {
  // Short, as the path of its socket has a maximum length.
  #directory = mkdtempSync(join(tmpdir(), 'balancer-'))
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null

  /**
   * @param {string} host
   * @param {number} port
   * @param {readonly number[]} instances their ports
   */
  constructor(host, port, instances) {
    this.environment = {
      RUN_DIR: this.#directory,
      HOST: host,
      PORT: String(port),
      ...Object.fromEntries(instances.map((port, index) => [`INSTANCE${index + 1}`, String(port)])),
    }
  }

  /** Resolves when it accepts connections. */
  async start() {
    this.#process = spawn('haproxy', ['-db', '-f', CONFIGURATION], {
      env: { PATH, ...this.environment },
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
