#!/usr/bin/env node
import { setTimeout as delay } from 'node:timers/promises'

const USAGE = 'Usage: switch-over.mjs URL, where URL is that of any Patroni, as in http://10.0.0.1:8008'
const WITHIN_MS = 60_000
const POLL_INTERVAL_MS = 100
/** Patroni refuses a time in the past, and parses whole seconds. */
const AHEAD_MS = 2_000
const ANSWER_TIMEOUT_MS = 2_000

// biome-ignore lint/style/noProcessEnv: the one place where the command reads its environment
const { PATRONI_RESTAPI_USERNAME: user, PATRONI_RESTAPI_PASSWORD: password } = process.env
const headers = user && { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }

/** @typedef {{ name: string, role: string, api_url: string }} Member */

/**
 * @param {string} method
 * @param {string} path
 * @param {string} node its URL, of which the path does not count
 * @param {object} [body]
 */
async function ask(method, path, node, body) {
  const response = await fetch(new URL(path, node), {
    method,
    ...(headers && { headers }),
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  })
  return { status: response.status, date: response.headers.get('date'), text: await response.text() }
}

/**
 * @param {Member} member
 * @returns {Promise<{ state: string, role: string, replication?: { sync_state: string }[] }>}
 */
const statusOf = async ({ api_url }) => JSON.parse((await ask('GET', '/patroni', api_url)).text)

/**
 * Wakes Patroni, which otherwise acts once per `loop_wait`: it acts on any configuration request, even without a
 * change.
 */
const wake = (/** @type {readonly Member[]} */ members) =>
  Promise.allSettled(members.map(({ api_url }) => ask('PATCH', '/config', api_url, { nothing: null })))

/**
 * Does something until it is true. A node may be silent for a moment.
 *
 * @param {() => Promise<boolean>} attempt
 * @param {string} failure
 */
async function until(attempt, failure) {
  const deadline = Date.now() + WITHIN_MS
  while (!(await attempt().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(failure)
    await delay(POLL_INTERVAL_MS)
  }
}

/**
 * Makes the synchronous standby the primary. Writes then wait for the other standby, and one that sees a switch-over
 * asked for and no primary sleeps two seconds before it looks for the new one. So this asks Patroni for a switch-over in
 * a moment and takes that back when the primary stops; then the others do what they do when a primary is lost, and at
 * once, since they are woken.
 *
 * @param {string} node
 */
async function switchOver(node) {
  /** @type {{ members: Member[] }} */
  const { members } = JSON.parse((await ask('GET', '/cluster', node)).text)
  const primary = members.find(({ role }) => role === 'leader')
  const standby = members.find(({ role }) => role === 'sync_standby')
  if (!primary || !standby) throw new Error(`there is no ${primary ? 'synchronous standby' : 'primary'}`)
  const others = members.filter((member) => member !== primary)

  const { date } = await ask('GET', '/cluster', primary.api_url)
  const scheduled_at = new Date(Date.parse(/** @type {string} */ (date)) + AHEAD_MS).toISOString()
  const request = { leader: primary.name, candidate: standby.name, scheduled_at }
  const { status, text } = await ask('POST', '/switchover', primary.api_url, request)
  if (status !== 202) throw new Error(text)
  try {
    await until(async () => {
      const { state, role } = await statusOf(primary)
      return state === 'stopping' || state === 'stopped' || role === 'replica'
    }, `${primary.name} does not stop; its log says why`)
  } finally {
    // If this fails, the new primary does it, and the switch-over takes two seconds longer.
    await ask('DELETE', '/switchover', standby.api_url).catch(() => {})
  }
  await until(
    async () => {
      await wake(others)
      const { role, replication = [] } = await statusOf(standby)
      return role !== 'replica' && replication.some(({ sync_state }) => sync_state === 'sync')
    },
    `no standby follows ${standby.name}; the logs of ${others.map(({ name }) => name).join(' and ')} say why`,
  )
  return standby.name
}

const [node] = process.argv.slice(2)
if (!node || !URL.canParse(node)) {
  process.stdout.write(`${USAGE}\n`)
  process.exitCode = 2
} else {
  await switchOver(node).then(
    (primary) => process.stdout.write(`${primary} is the primary\n`),
    (error) => {
      process.stdout.write(`Cannot switch over: ${error.cause?.message ?? error.message}\n`)
      process.exitCode = 1
    },
  )
}
