#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Balancer } from '../three-instances/balancer.mjs'
import { openDatabase } from '../three-instances/database.mjs'
import { Instance } from '../three-instances/instance.mjs'
import { installWhenMissing } from '../three-instances/software.mjs'

// biome-ignore lint/style/noProcessEnv: the one place where the example reads its environment
const environment = process.env
const host = environment.HOST || '127.0.0.1'
const port = Number(environment.PORT || 8080)
const directory = resolve(environment.DATA_DIR || 'cells')

const names = {
  a: environment.A_HOST || 'a.localhost',
  b: environment.B_HOST || 'b.localhost',
}

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** An installation: a database of its own, and a server. */
class Cell {
  /** @type {Awaited<ReturnType<typeof openDatabase>> | null} */
  #database = null
  /** @type {Instance | null} */
  #instance = null

  /**
   * @param {'a' | 'b'} id
   * @param {number} port of its server
   */
  constructor(id, port) {
    this.id = id
    this.port = port
    this.url = `http://${names[id]}:${environment.PORT || 8080}`
  }

  async start() {
    const { id, port, url } = this
    const DATABASE_URL = environment[`${id.toUpperCase()}_DATABASE_URL`]
    this.#database = await openDatabase({ DATABASE_URL, DATA_DIR: join(directory, id) }, say)
    // An operator who moves a tenant needs the addresses of both databases, which hold a password.
    writeFileSync(join(directory, `${id}.url`), this.#database.url, { mode: 0o600 })
    const settings = {
      DATABASE_URL: this.#database.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      TRUST_PROXY: '1',
    }
    this.#instance = new Instance(id, { ...environment, ...settings }, say)
    await this.#instance.start()
  }

  async stop() {
    await this.#instance?.stop()
    await this.#database?.stop()
  }
}

const cells = [new Cell('a', port + 1), new Cell('b', port + 2)]
const balancer = new Balancer(fileURLToPath(new URL('haproxy.cfg', import.meta.url)), {
  HOST: host,
  PORT: String(port),
  A_HOST: names.a,
  B_HOST: names.b,
  ...Object.fromEntries(cells.map((cell, index) => [`INSTANCE${index + 1}`, String(cell.port)])),
})

let ending = false
async function stop() {
  if (ending) return
  ending = true
  await balancer.stop()
  await Promise.all(cells.map((cell) => cell.stop()))
  say('Stopped')
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void stop())

try {
  installWhenMissing({ haproxy: ['haproxy'] }, say)
  mkdirSync(directory, { recursive: true })
  for (const cell of cells) await cell.start()
  await balancer.start()
  await Promise.all(['instance1', 'instance2'].map((name) => balancer.uses(name)))
  say(`Two installations are ready at ${cells.map(({ url }) => url).join(' and ')}`)
  say(`The addresses of their databases are in ${directory}/a.url and b.url. To stop: Ctrl-C`)
} catch (error) {
  // An error that the person at the terminal can mend is told in a line.
  say(`Cannot start: ${/** @type {Error} */ (error).message.split('\n')[0]}`)
  process.exitCode = 1
  await stop()
}
