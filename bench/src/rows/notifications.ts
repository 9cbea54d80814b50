import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import pg from 'pg'
import { percentiles } from '../report/numbers.js'
import type { Figures, Row } from '../row.js'
import { pgbench } from '../tools/pgbench.js'
import type { Throughput } from '../tools/throughput.js'

const LISTENERS = [1, 3, 10, 30]
const SENDERS = 10
const CHANNEL = 'bench'
/** A message with one hint, as long as the bus has them, which begins with the moment it was sent at. */
const NOTIFY = `SELECT pg_notify('${CHANNEL}', extract(epoch FROM clock_timestamp()) * 1000 || ' ' || $1::text)`
const HINT = JSON.stringify([
  { kind: 'head', scope: '00000000-0000-4000-8000-000000000000', spaceId: 'space-42', head: 123_456 },
])

export const notifications: Row = {
  name: 'notifications',
  title: `LISTEN/NOTIFY, ${SENDERS} senders at full speed`,
  about:
    'How many notifications one PostgreSQL delivers to several listening connections, each of which hears all of them, ' +
    'and how late they reach the last one. A server sends one at a time, with what has gathered meanwhile.',
  tools: ['pgbench'],
  claims: [],
  async baselines({ sizes: { seconds }, stage }) {
    const { connection, directory } = (await stage()).service
    const load = { connection, directory, seconds, clients: SENDERS, statements: [{ text: NOTIFY, values: [HINT] }] }
    return {
      measures: Object.fromEntries(
        LISTENERS.map((count) => [`${count} listening`, () => heardBy(count, connection, () => pgbench(load))]),
      ),
    }
  },
}

async function heardBy(
  count: number,
  connection: ConnectionOptions,
  send: () => Promise<Throughput>,
): Promise<Figures> {
  const listeners = Array.from({ length: count }, () => new pg.Client({ ...connection, ssl: false }))
  await Promise.all(listeners.map((listener) => listener.connect()))
  try {
    const lateness: number[] = []
    let heard = 0
    for (const listener of listeners) {
      listener.on('notification', ({ payload = '' }) => {
        heard++
        // The lateness of one listener will do: reading that of all takes more time than hearing them.
        if (listener === listeners.at(-1)) lateness.push(now() - Number.parseFloat(payload))
      })
      await listener.query(`LISTEN ${CHANNEL}`)
    }
    const begun = now()
    const { perSecond } = await send()
    for (let known = -1; known < heard; await delay(100)) known = heard
    return { perSecond, heardPerSecond: (heard / (now() - begun)) * 1_000, ...percentiles(lateness) }
  } finally {
    await Promise.all(listeners.map((listener) => listener.end()))
  }
}

const now = () => performance.timeOrigin + performance.now()
