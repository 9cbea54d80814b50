#!/usr/bin/env node
import { door } from './balancer.mjs'
import { openDatabase } from './database.mjs'
import { Instance } from './instance.mjs'
import { installWhenMissing } from './software.mjs'

/** Longer than the balancer needs to notice that an instance stops: two checks, half a second apart. */
const DRAIN_SECONDS = '3'

// biome-ignore lint/style/noProcessEnv: the one place where the example reads its environment
const environment = process.env
const host = environment.HOST || '127.0.0.1'
const port = Number(environment.PORT || 8080)
const ports = [port + 1, port + 2, port + 3]

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** An error that the person at the terminal can mend is told in a line. */
function cannotStart(/** @type {unknown} */ error) {
  say(`Cannot start: ${/** @type {Error} */ (error).message.split('\n')[0]}`)
  process.exitCode = 1
}

/** Nothing runs yet that would have to be stopped. */
async function prepare() {
  installWhenMissing({ haproxy: ['haproxy'] }, say)
  return openDatabase(environment, say)
}

const database = await prepare().catch((error) => {
  cannotStart(error)
  process.exit()
})
const instances = ports.map((port, index) => {
  const settings = {
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUST_PROXY: '1',
    DRAIN_SECONDS,
  }
  return new Instance(
    `instance${index + 1}`,
    { PUBLIC_URL: `http://${host}:${port}`, ...environment, ...settings },
    say,
  )
})
const balancer = door(host, port, ports)

/** Restarts one after the other, each when the balancer uses the one before, so that two always serve. */
async function restart() {
  for (const instance of instances) {
    await instance.stop()
    await instance.start()
    await balancer.uses(instance.name)
  }
  say('Restarted all three')
}

/** The instances that are left go on. */
function giveUp(/** @type {Error} */ error) {
  say(`Restart failed: ${error.message}`)
}

let ending = false
async function stop() {
  if (ending) return
  ending = true
  await restarting
  await balancer.stop()
  await Promise.all(instances.map((instance) => instance.stop()))
  await database.stop()
  say('Stopped')
}

/**
 * The current restart: they never overlap.
 *
 * @type {Promise<void>}
 */
let restarting = Promise.resolve()
process.on('SIGHUP', () => {
  restarting = restarting.then(restart).catch(giveUp)
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void stop())

try {
  await Promise.all(instances.map((instance) => instance.start()))
  await balancer.start()
  await Promise.all(instances.map(({ name }) => balancer.uses(name)))
  say(`Three instances are ready at http://${host}:${port}`)
  say(`To restart them one after the other: kill -HUP ${process.pid}. To stop: Ctrl-C`)
} catch (error) {
  cannotStart(error)
  await stop()
}
