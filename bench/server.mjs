import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { visitEmbedded } from '@collab-spaces/db'

/** @import { ConnectionOptions } from '@collab-spaces/db' */

/** @typedef {Extract<ConnectionOptions, { host: string }>} EmbeddedConnection */

const MAIN = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))
const READY = / is ready at (\S+) /
const PATIENCE_MS = 60_000

/** The built server as a process of its own, as it comes: its settings but for the port and the data, its log on. */
export class Server {
  #exited

  /** @param {import('node:child_process').ChildProcess} child @param {string} url @param {number} readyMs @private */
  constructor(child, url, readyMs) {
    this.child = child
    this.url = url
    /** From its start as a process to the line that says it is ready. */
    this.readyMs = readyMs
    this.#exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  }

  /**
   * @param {string} directory Where its data goes, and its log.
   * @param {Record<string, string>} [settings]
   */
  static async start(directory, settings = {}) {
    const logFile = join(directory, `server-${settings.DATABASE_URL ? 'beside' : 'first'}.log`)
    const log = openSync(logFile, 'a')
    const begun = performance.now()
    const child = spawn(process.execPath, [MAIN], {
      cwd: tmpdir(),
      // A Ctrl-C is for the bench, which stops its servers in order.
      detached: true,
      stdio: ['ignore', 'pipe', log],
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(directory, 'data'), ...settings },
    })
    closeSync(log)
    const url = await readyLine(child).catch(async () => {
      throw new Error(`The server did not start: ${(await readFile(logFile, 'utf8')).slice(-2_000)}`)
    })
    return new Server(child, url, performance.now() - begun)
  }

  get pid() {
    return /** @type {number} */ (this.child.pid)
  }

  /** Ends it and the PostgreSQL it runs. */
  async stop() {
    this.child.kill('SIGTERM')
    await this.#exited
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function readyLine(child) {
  return new Promise((resolve, reject) => {
    let said = ''
    const tooLate = setTimeout(reject, PATIENCE_MS)
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const url = READY.exec(said)?.[1]
      if (url === undefined) return
      clearTimeout(tooLate)
      resolve(url)
    })
    child.once('exit', () => {
      clearTimeout(tooLate)
      reject()
    })
  })
}

/**
 * How to reach the database of a server that keeps its data in this directory.
 * @param {string} directory
 * @returns {Promise<EmbeddedConnection>}
 */
export async function connectionTo(directory) {
  const { connection } = await visitEmbedded({
    dataDir: join(directory, 'data'),
    explicitDataDir: true,
    log: () => {},
    onLost: (error) => {
      throw error
    },
  })
  return connection
}

/** The same as a setting for another server. @param {EmbeddedConnection} connection */
export function databaseUrl({ host, port, user, password, database }) {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
