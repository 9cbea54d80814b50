#!/usr/bin/env node
import { mkdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Balancer, door } from '../three-instances/balancer.mjs'
import { Instance } from '../three-instances/instance.mjs'
import { installWhenMissing, programPath } from '../three-instances/software.mjs'
import { Cluster } from './cluster.mjs'
import { openSecrets } from './secrets.mjs'
import { postgresDirectory, SOFTWARE } from './software.mjs'

const SWITCH_OVER = relative('', fileURLToPath(new URL('switch-over.mjs', import.meta.url)))
const DATABASE_CONFIGURATION = fileURLToPath(new URL('database.cfg', import.meta.url))

// biome-ignore lint/style/noProcessEnv: the one place where the example reads its environment
const environment = process.env
const host = environment.HOST || '127.0.0.1'
const port = Number(environment.PORT || 8080)
const directory = resolve(environment.DATA_DIR || 'data-high-availability')
const serverPorts = [port + 1, port + 2, port + 3]
const databasePort = port + 4

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/**
 * Parts that have to be stopped, in the order in which they were started.
 *
 * @type {{ stop(): Promise<void> }[]}
 */
const running = []

/**
 * @template {{ start(): Promise<void>, stop(): Promise<void> }} T
 * @param {readonly T[]} parts
 */
async function start(...parts) {
  running.push({
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()))
    },
  })
  await Promise.all(parts.map((part) => part.start()))
}

/** @type {Promise<void> | undefined} */
let ending
function stop() {
  ending ??= (async () => {
    for (const part of running.reverse()) await part.stop()
    if (running.length > 0) say('Stopped')
    process.exit()
  })()
  return ending
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void stop())

async function main() {
  installWhenMissing(SOFTWARE, say, postgresDirectory)
  mkdirSync(directory, { recursive: true })
  const secrets = openSecrets(join(directory, 'secrets.json'))
  const cluster = new Cluster(directory, port + 5, secrets, programPath(postgresDirectory()), say)
  await start(cluster)

  const addresses = [0, 1, 2].map((n) => [
    [`DATABASE${n + 1}`, `127.0.0.1:${cluster.ports.postgres[n]}`],
    [`PATRONI_HOST${n + 1}`, '127.0.0.1'],
    [`PATRONI_PORT${n + 1}`, String(cluster.ports.patroni[n])],
  ])
  const settings = { DATABASE: `127.0.0.1:${databasePort}`, ...Object.fromEntries(addresses.flat()) }
  await start(new Balancer(DATABASE_CONFIGURATION, settings))

  const url = (/** @type {string} */ role, /** @type {string} */ password) =>
    `postgres://${role}:${password}@127.0.0.1:${databasePort}/spaces`
  const servers = serverPorts.map((serverPort, index) => {
    const settings = {
      DATABASE_URL: url('spaces_service', secrets.service),
      MIGRATION_DATABASE_URL: url('spaces', secrets.owner),
      HOST: '127.0.0.1',
      PORT: String(serverPort),
      TRUST_PROXY: '1',
    }
    // A silent primary is dropped after one and a half seconds instead of three.
    const own = {
      LOG_LEVEL: 'warn',
      DATABASE_TIMEOUT: '1',
      PUBLIC_URL: `http://${host}:${port}`,
      SERVER_KEY: secrets.serverKey,
    }
    return new Instance(`instance${index + 1}`, { ...own, ...environment, ...settings }, say)
  })
  await start(...servers)
  const balancer = door(host, port, serverPorts)
  await start(balancer)
  await Promise.all(servers.map(({ name }) => balancer.uses(name)))

  say(`Ready at http://${host}:${port}`)
  const [patroni] = cluster.ports.patroni
  say(`To switch over: node ${SWITCH_OVER} http://127.0.0.1:${patroni}`)
  say(`To see the database: patronictl -c ${join(directory, 'patronictl.yml')} list. To stop: Ctrl-C`)
}

await main().catch((error) => {
  // A part that is being stopped exits as expected.
  if (ending) return
  say(`Cannot start: ${/** @type {Error} */ (error).message.split('\n')[0]}`)
  process.exitCode = 1
  return stop()
})
