import { query } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { clockAhead } from '../service/clock.js'
import { type Answer, send } from '../service/http.js'
import { insistOn } from '../service/insist.js'
import type { Instance } from '../service/instance.js'
import { openSpace, register } from '../service/people.js'
import { settingsFor } from '../trial.js'

const SPACE = 'claims'
const AHEAD_MS = 2_000
const PATH = `/api/spaces/${SPACE}`

interface Claim {
  readonly claim_id: string
  readonly fence: number
}

export const staleClaims: Row = {
  name: 'C2',
  title: 'holders frozen beyond the expiry of their claims',
  about:
    'A holder writes through a frozen instance, whose clock is two seconds ahead; its claim ' +
    'expires, another actor claims the work at another instance, and the first wakes during its write. Nothing ' +
    'that it wrote is stored after the new claim.',
  async run(trial) {
    const connection = await trial.database()
    const settings = settingsFor(connection)
    const [here, there] = [
      ...(await trial.instances(1, { ...settings, ...clockAhead(AHEAD_MS) })),
      ...(await trial.instances(1, settings)),
    ] as [Instance, Instance]
    const ada = await register(there.url)
    const bob = await register(there.url, 'Bob')
    await openSpace(there.url, ada, SPACE)
    const take = (key: string, round: number) =>
      insistOn<Claim>([there.url], { path: `${PATH}/claims`, key, body: { key: `work ${round}` } })
    let [rounds, refused, doubled] = [0, 0, 0]
    const takeovers: number[] = []
    while (trial.hasTimeFor(rounds)) {
      const held = await take(ada.key, rounds)
      here.freeze()
      const body = { text: `stale ${rounds}`, claim: { claim_id: held.claim_id, fence: held.fence } }
      const woken: Promise<Answer | null> = send(here.url, { path: `${PATH}/speech`, key: ada.key, body }).catch(
        () => null,
      )
      await query(connection, 'UPDATE work_claims SET expires_at = clock_timestamp() WHERE claim_id = $1', [
        held.claim_id,
      ])
      const lapsed = performance.now()
      const next = await take(bob.key, rounds)
      takeovers.push(performance.now() - lapsed)
      here.thaw()
      const own = { text: `own ${rounds}`, claim: { claim_id: next.claim_id, fence: next.fence } }
      await insistOn([there.url], { path: `${PATH}/speech`, key: bob.key, body: own })
      await insistOn([there.url], { method: 'DELETE', path: `${PATH}/claims/${next.claim_id}`, key: bob.key })
      const answer = await woken
      if (answer?.status === 409) refused++
      if (next.fence <= held.fence) doubled++
      rounds++
    }
    const { rows } = await query(connection, `SELECT FROM events WHERE wire::json ->> 'text' LIKE 'stale %'`)
    const landed = rows.length
    const slowest = takeovers.toSorted((a, b) => a - b)[Math.floor(takeovers.length * 0.99)] ?? 0
    trial.require(landed === 0, `${landed} stale writes landed`)
    trial.require(refused === rounds, `${rounds - refused} stale writes were not refused`)
    trial.require(doubled === 0, `${doubled} claims had two owners`)
    return { rounds, refused, landed, doubled, 'takeover p99 ms': Math.round(slowest) }
  },
}
