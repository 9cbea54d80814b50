import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Daemon } from './daemon.mjs'
import { postgresDirectory } from './software.mjs'

const CONFIGURATION = fileURLToPath(new URL('patroni.yml', import.meta.url))
const HOST = '127.0.0.1'
const NODES = /** @type {const} */ ([1, 2, 3])
const READY_TIMEOUT_MS = 120_000
const POLL_INTERVAL_MS = 200
/** From this version on, Patroni's client for etcd's newer API does not overwrite foreign keys. */
const ETCD3_SINCE = [3, 0, 3]

/** PostgreSQL does not run as root: under root, Debian's PostgreSQL user runs everything here. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** @param {string} path */
function usesNewerInterface(path) {
  const said = execFileSync('patroni', ['--version'], { encoding: 'utf8', env: { PATH: path, LANG: 'C.UTF-8' } })
  const version = (/\d+(\.\d+)*/.exec(said)?.[0] ?? '0').split('.').map(Number)
  const difference = ETCD3_SINCE.map((part, index) => (version[index] ?? 0) - part).find((part) => part !== 0)
  return (difference ?? 0) >= 0
}

/** Three PostgreSQL with a Patroni each, and three etcd, which hold the leader lock. */
export class Cluster {
  /** @type {Daemon[]} */
  #etcd = []
  /** @type {Daemon[]} */
  #nodes = []

  /**
   * @param {string} directory
   * @param {number} firstPort the first of twelve
   * @param {import('./secrets.mjs').Secrets} secrets
   * @param {string} path where programs are found
   * @param {(line: string) => void} say
   */
  constructor(directory, firstPort, secrets, path, say) {
    this.directory = directory
    this.secrets = secrets
    this.path = path
    this.say = say
    const from = (/** @type {number} */ offset) => NODES.map((node) => firstPort + offset + node - 1)
    this.ports = { patroni: from(0), postgres: from(3), etcd: from(6), peers: from(9) }
    this.etcdHosts = this.ports.etcd.map((port) => `${HOST}:${port}`).join(',')
  }

  /** Resolves when a primary and two standbys run, one of them synchronous. */
  async start() {
    this.#prepare()
    for (const daemon of [...this.#etcd, ...this.#nodes]) daemon.start()
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (!(await this.#isWhole())) {
      if (Date.now() > deadline) throw new Error(`The database is not ready: see ${join(this.directory, 'log')}`)
      await delay(POLL_INTERVAL_MS)
    }
  }

  /** Stops the nodes first, while they can still release the leader lock in etcd. */
  async stop() {
    await Promise.all(this.#nodes.map((node) => node.stop()))
    await Promise.all(NODES.map((node) => this.#stopPostgres(node)))
    await Promise.all(this.#etcd.map((etcd) => etcd.stop()))
  }

  /** The files and the processes. */
  #prepare() {
    const user = unprivilegedUser()
    const own = (/** @type {string} */ path) => user && chownSync(path, user.uid, user.gid)
    const log = join(this.directory, 'log')
    mkdirSync(log, { recursive: true })
    for (const name of NODES.flatMap((node) => [`database${node}`, `etcd${node}`])) {
      mkdirSync(join(this.directory, name), { recursive: true, mode: 0o700 })
      own(join(this.directory, name))
    }
    chmodSync(this.directory, 0o755)
    // Patroni's user can read it here, wherever the checkout is.
    const configuration = join(this.directory, 'patroni.yml')
    copyFileSync(CONFIGURATION, configuration)
    if (user && spawnSync('test', ['-r', configuration], user).status !== 0) {
      throw new Error(
        `The user postgres cannot reach ${this.directory}: set DATA_DIR to a directory that all may enter`,
      )
    }
    const newer = usesNewerInterface(this.path)
    const control = { scope: 'spaces', [newer ? 'etcd3' : 'etcd']: { hosts: this.etcdHosts } }
    writeFileSync(join(this.directory, 'patronictl.yml'), `${JSON.stringify(control)}\n`)
    const daemon = (/** @type {string} */ name, /** @type {object} */ options) =>
      new Daemon(
        /** @type {import('./daemon.mjs').DaemonOptions} */ ({
          name,
          logFile: join(log, `${name}.log`),
          user,
          ...options,
        }),
        this.say,
      )
    this.#etcd = NODES.map((node) =>
      daemon(`etcd${node}`, { command: 'etcd', environment: this.#etcdEnvironment(node) }),
    )
    this.#nodes = NODES.map((node) => {
      const environment = {
        ...this.#patroniEnvironment(node),
        [`PATRONI_ETCD${newer ? '3' : ''}_HOSTS`]: this.etcdHosts,
      }
      return daemon(`database${node}`, { command: 'patroni', args: [configuration], environment })
    })
  }

  /** The environment in etcd.env. */
  #etcdEnvironment(/** @type {number} */ node) {
    const client = `http://${HOST}:${this.ports.etcd[node - 1]}`
    const peer = `http://${HOST}:${this.ports.peers[node - 1]}`
    return {
      PATH: this.path,
      ETCD_NAME: `etcd${node}`,
      ETCD_DATA_DIR: join(this.directory, `etcd${node}`),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: this.ports.peers.map((port, n) => `etcd${n + 1}=http://${HOST}:${port}`).join(','),
      ETCD_INITIAL_CLUSTER_TOKEN: 'spaces',
      ETCD_INITIAL_CLUSTER_STATE: 'new',
      ETCD_ENABLE_V2: 'true',
      ETCD_LOG_LEVEL: 'warn',
    }
  }

  /** The environment in patroni.env. */
  #patroniEnvironment(/** @type {number} */ node) {
    const { superuser, replication, rewind, owner, service } = this.secrets
    const own = join(this.directory, `database${node}`)
    const patroni = `${HOST}:${this.ports.patroni[node - 1]}`
    const postgres = `${HOST}:${this.ports.postgres[node - 1]}`
    return {
      PATH: this.path,
      HOME: own,
      LANG: 'C.UTF-8',
      PATRONI_NAME: `database${node}`,
      PATRONI_RESTAPI_LISTEN: patroni,
      PATRONI_RESTAPI_CONNECT_ADDRESS: patroni,
      PATRONI_POSTGRESQL_LISTEN: postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
      PATRONI_POSTGRESQL_DATA_DIR: this.#dataOf(node),
      PATRONI_POSTGRESQL_BIN_DIR: /** @type {string} */ (postgresDirectory()),
      PATRONI_POSTGRESQL_PGPASS: join(own, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: replication,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: rewind,
      SPACES_PASSWORD: owner,
      SPACES_SERVICE_PASSWORD: service,
    }
  }

  #dataOf(/** @type {number} */ node) {
    return join(this.directory, `database${node}`, 'data')
  }

  async #isWhole() {
    for (const port of this.ports.patroni) {
      try {
        const response = await fetch(`http://${HOST}:${port}/cluster`, { signal: AbortSignal.timeout(1_000) })
        const { members } = /** @type {{ members: { role: string, state: string }[] }} */ (await response.json())
        const roles = members.map(({ role }) => role)
        const run = members.filter(({ state }) => ['running', 'streaming'].includes(state))
        if (run.length === NODES.length && roles.includes('leader') && roles.includes('sync_standby')) return true
      } catch {
        // Patroni does not answer yet.
      }
    }
    return false
  }

  /** Stops a PostgreSQL whose Patroni was killed, since it continues to run. */
  async #stopPostgres(/** @type {number} */ node) {
    const pid = this.#postmasterOf(node)
    if (pid === undefined) return
    process.kill(pid, 'SIGINT')
    // It may be frozen.
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    for (const each of [pid, ...children.map(Number)]) process.kill(each, 'SIGCONT')
    while (this.#postmasterOf(node) === pid) await delay(POLL_INTERVAL_MS)
  }

  #postmasterOf(/** @type {number} */ node) {
    try {
      const pid = Number.parseInt(readFileSync(join(this.#dataOf(node), 'postmaster.pid'), 'utf8'), 10)
      // Another program may have its number by now.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#dataOf(node)) ? pid : undefined
    } catch {
      return undefined
    }
  }
}
