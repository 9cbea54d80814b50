import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { Client, freshDatabase, query } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { startStack } from './support/stack.js'

/** The documented guarantee is tested with `CLAIM_ROUNDS=10000`. */
// biome-ignore lint/style/noProcessEnv: the length of a test, not a setting
const ROUNDS = Number(process.env.CLAIM_ROUNDS ?? 200)

/** The time limit of a round in milliseconds, for long runs on a busy machine. */
const ROUND_MS = 1_000

interface Claim {
  readonly claim_id: string
  readonly fence: number
}

interface Workers {
  readonly connection: ConnectionOptions
  /** Two servers of one database, and a worker at each. */
  readonly here: Client
  readonly there: Client
  readonly space: string
}

async function twoWorkers(): Promise<Workers> {
  const connection = await freshDatabase()
  const [one, other] = [await startStack(connection), await startStack(connection)]
  const { ada, client, path } = await new Client(one.url).adasSpace()
  const scout = await client.registerAgent(ada, 'Scout')
  const rival = await client.registerAgent(ada, 'Rival')
  return {
    connection,
    here: new Client(one.url, scout.api_key),
    there: new Client(other.url, rival.api_key),
    space: path,
  }
}

const take = (worker: Client, space: string, key: string) => worker.post(`${space}/claims`, { key })
const write = (worker: Client, space: string, { claim_id, fence }: Claim, text: string) =>
  worker.post(`${space}/response`, { text, claim: { claim_id, fence } })

it(
  `refuses writes of a holder that was suspended past the end of its claim, in ${ROUNDS} rounds`,
  async () => {
    const { connection, here, there, space } = await twoWorkers()
    const written = new Map<string, string>()
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const key = `round ${round}`
      const [frozen, fresh] = round % 2 === 0 ? [here, there] : [there, here]
      const held = await take(frozen, space, key).expect(200)
      // The claim expires while its holder is suspended. The holder wakes as it is taken, and writes twice.
      const lapse = query(connection, 'UPDATE work_claims SET expires_at = clock_timestamp() WHERE claim_id = $1', [
        held.claim_id,
      ])
      if (round % 3 !== 0) await lapse
      const early = write(frozen, space, held, `${key}: early`)
      const [taken, first] = await Promise.all([take(fresh, space, key), early, lapse])
      // Before it expires, the claim is held, and a write with it is accepted.
      const next: Claim = taken.status === 200 ? taken.body : await take(fresh, space, key).expect(200)
      expect(next.fence).toBe(held.fence + 1)
      const [late, own] = await Promise.all([
        write(frozen, space, held, `${key}: late`),
        write(fresh, space, next, `${key}: ${randomUUID()}`),
      ])
      expect([late.status, own.status]).toEqual([409, 200])
      if (round % 3 !== 0) expect(first.status).toBe(409)
      refused += [first, late].filter(({ status }) => status === 409).length
      written.set(key, own.body.event_id)
      await fresh.delete(`${space}/claims/${next.claim_id}`).expect(200)
    }

    const { rows } = await query(connection, 'SELECT event_id, wire::json ->> $1 AS text FROM events', ['text'])
    const late = rows.filter(({ text }) => text.endsWith(': late'))
    expect(late).toEqual([])
    expect(rows.filter(({ text }) => text.endsWith(': early'))).toHaveLength(2 * ROUNDS - refused)
    const own = new Set(written.values())
    expect(rows.filter(({ event_id }) => own.has(event_id))).toHaveLength(ROUNDS)
  },
  ROUND_MS * ROUNDS + 60_000,
)

it(
  'grants a claim to one of two concurrent requests at different servers',
  async () => {
    const { here, there, space } = await twoWorkers()
    for (let round = 0; round < 50; round++) {
      const key = `race ${round}`
      const answers = await Promise.all([take(here, space, key), take(there, space, key)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  },
  ROUND_MS * 50 + 60_000,
)

it('takes the times of claims from the database', async () => {
  const { connection, here, space } = await twoWorkers()
  const { rows } = await query(connection, 'SELECT clock_timestamp() AS now')
  const { expires_at, claimed_at } = await take(here, space, 'clock').expect(200)
  expect(Date.parse(claimed_at)).toBeGreaterThanOrEqual(rows[0]?.now.getTime() - 1)
  expect(Date.parse(expires_at) - Date.parse(claimed_at)).toBe(300_000)
})
