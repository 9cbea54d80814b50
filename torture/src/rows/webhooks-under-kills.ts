import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, inDatabase, postmasterOf, query } from '@collab-spaces/testing/programs'
import { checkDeliveries } from '../checker/check-deliveries.js'
import { readLog } from '../checker/stored.js'
import { Load } from '../load/load.js'
import { Inbound, Receiver } from '../load/receiver.js'
import type { Row } from '../row.js'
import { must } from '../service/http.js'
import { startPostgres } from '../service/postgres.js'
import { settingsFor, type Trial } from '../trial.js'

const DATABASE = 'torture'
const WEBHOOKS_PER_SPACE = 2
/** A killed server holds its leases for 30 seconds, and a failing receiver has a backoff. */
const CATCH_UP_MS = 90_000

export const webhooksUnderKills: Row = {
  name: 'W1',
  title: 'webhooks while servers, PostgreSQL and the receiver are killed',
  waitsLong: true,
  about:
    'Two instances write to spaces with webhooks; in turns a server, PostgreSQL or the receiver is killed, or the ' +
    'receiver refuses, or closes the connection after reading. In the end each webhook has sent every event of its space, in ' +
    'order, with valid signatures, one request at a time, and has repeated only whole requests with the same id and bytes.',
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    const connection = inDatabase(postgres.template, DATABASE)
    await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${DATABASE} TEMPLATE spaces_template`)
    const settings = { ...settingsFor(connection), SERVER_KEY: '5a'.repeat(32), WEBHOOK_NETWORKS: 'loopback' }
    const instances = await trial.instances(2, settings)
    const urls = instances.map(({ url }) => url)
    const receiver = await Receiver.start((least, most) => trial.between(least, most))
    trial.cleanup.add(() => receiver.kill())
    const load = await Load.start(trial, { urls, readers: 0 })
    await hook(load, urls[0] as string, receiver)

    const faults: Record<string, () => Promise<void>> = {
      'servers killed': async () => {
        const victim = trial.pick(instances)
        await victim.kill()
        await load.more(trial.between(1, 50))
        await victim.start()
      },
      'PostgreSQL killed': async () => {
        const victim = await postmasterOf(postgres.dataDir)
        if (victim === undefined) throw new Error('PostgreSQL was not started again')
        process.kill(victim, 'SIGKILL')
      },
      'receiver killed': async () => {
        await receiver.kill()
        await load.more(trial.between(1, 100))
        await receiver.start()
      },
      'receiver refusing': () => inMood(receiver, 'refuses', load, trial),
      'receiver hanging up': () => inMood(receiver, 'hangs up', load, trial),
    }
    const names = Object.keys(faults)
    const done = Object.fromEntries(names.map((name) => [name, 0]))
    const first = trial.between(0, names.length - 1)
    for (let fault = 0; (trial.isFull && fault < names.length) || trial.hasTimeFor(fault); fault++) {
      await deliveriesMore(receiver, trial.between(1, 10))
      const name = names[(first + fault) % names.length] as string
      await (faults[name] as () => Promise<void>)()
      done[name] = (done[name] ?? 0) + 1
    }
    await load.more(20)
    const { acknowledged, stored } = await load.finish(connection)
    const counts = await judge(trial, receiver, connection)
    return { acknowledged: acknowledged as number, stored: stored as number, ...counts, ...done }
  },
}

async function hook({ key, spaces }: Load, url: string, receiver: Receiver): Promise<void> {
  for (const space of spaces) {
    for (let n = 0; n < WEBHOOKS_PER_SPACE; n++) {
      const name = `${space}/${n}`
      const body = {
        url: receiver.urlOf(name),
        space_id: space,
        types: ['events.appended'],
        payload: n === 0 ? 'thin' : 'full',
        from: 'beginning',
      }
      const { secret } = await must<{ secret: string }>(url, { path: '/api/webhooks', key, body })
      receiver.expect(name, new Inbound(space, secret))
    }
  }
}

async function inMood(receiver: Receiver, mood: Receiver['mood'], load: Load, trial: Trial): Promise<void> {
  receiver.mood = mood
  await deliveriesMore(receiver, trial.between(1, 5))
  await load.more(trial.between(1, 50))
  receiver.mood = 'accepts'
}

const deliveriesTo = ({ inbound }: Receiver) => inbound.reduce((sum, { deliveries }) => sum + deliveries.length, 0)

/** Waits for further deliveries, so that a fault occurs during requests. */
async function deliveriesMore(receiver: Receiver, count: number): Promise<void> {
  const wanted = deliveriesTo(receiver) + count
  await eventually(() => deliveriesTo(receiver) >= wanted, CATCH_UP_MS)
}

async function judge(trial: Trial, receiver: Receiver, connection: ConnectionOptions) {
  let requests = 0
  let repeated = 0
  for (const { space, deliveries, violations } of receiver.inbound) {
    const { events } = await readLog(connection, space)
    const order = events.map(({ eventId }) => eventId)
    const isAtTheEnd = () => deliveries.at(-1)?.eventIds.at(-1) === order.at(-1)
    await eventually(isAtTheEnd, CATCH_UP_MS).catch(() => {})
    trial.violations.push(...violations.map((violation) => `${space}: ${violation}`))
    trial.violations.push(...checkDeliveries(`webhook of ${space}`, deliveries, order))
    requests += deliveries.length
    repeated += deliveries.length - new Set(deliveries.map(({ id }) => id)).size
  }
  return { webhooks: receiver.inbound.length, requests, repeated }
}
