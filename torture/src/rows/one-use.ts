import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { query } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { must, type OutgoingRequest, send } from '../service/http.js'
import { insist } from '../service/insist.js'
import { openSpace, register } from '../service/people.js'
import type { Trial } from '../trial.js'

const SPACE = 'uses'
const PATH = `/api/spaces/${SPACE}/decisions`
const CLIENTS = 32

const PROPOSAL = { proposed_by: 'Ada', text: 'Deploy', action: { type: 'deploy', arguments: { version: 82 } } }

interface ProposedDecision {
  readonly decision_id: string
  readonly action: { readonly digest: string }
}

/** The key that most requests share, as retries of one use. */
const SHARED_KEY = 'retried'

export const oneUse: Row = {
  name: 'C3',
  title: 'one use of a decision under kills and freezes',
  about:
    'Ten thousand requests use one decision through two instances, which are killed, or frozen between a use and its ' +
    'answer; meanwhile it is resolved. Most of them share an idempotency key. Exactly one use is stored, with one act, and ' +
    'all that succeed have its key and the same answer.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(2)
    const urls = instances.map(({ url }) => url)
    const [url] = urls as [string]
    const ada = await register(url)
    await openSpace(url, ada, SPACE)
    const { key } = ada
    const { decision_id: decisionId, action } = await must<ProposedDecision>(url, { path: PATH, key, body: PROPOSAL })
    const use = { path: `${PATH}/${decisionId}/use`, key, body: { digest: action.digest } }
    const uses = useTogether(trial, urls, use, trial.isFull ? 10_000 : 200)
    const settled = settleSoon(trial, urls, { path: `${PATH}/${decisionId}/resolve`, key })
    let isOver = false
    const finished = uses.finally(() => {
      isOver = true
    })
    let [kills, freezes] = [0, 0]
    while (!isOver) {
      await delay(trial.between(50, 1_000))
      const victim = trial.pick(instances)
      if (trial.random() < 0.5) {
        freezes++
        victim.freeze()
        await delay(trial.between(10, 1_000))
        victim.thaw()
      } else {
        kills++
        await victim.kill()
        await victim.start()
      }
    }
    const { succeeded, refused, unknown } = await finished
    await settled
    const { rows } = await query(
      connection,
      `SELECT used_at, use_key, (SELECT count(*)::int FROM decision_acts a
         WHERE a.decision_id = d.decision_id AND a.wire::json ->> 'kind' = 'used') AS acts
       FROM decisions d WHERE decision_id = $1`,
      [decisionId],
    )
    const { used_at, use_key, acts } = rows[0] as { used_at: Date | null; use_key: string; acts: number }
    trial.require(used_at !== null && acts === 1, `the decision has ${acts} acts of a use`)
    const keys = new Set(succeeded.map((answer) => answer.key))
    trial.require(
      [...keys].every((winner) => winner === use_key),
      `${keys.size} keys have used the decision`,
    )
    const texts = new Set(succeeded.map(({ text }) => text))
    trial.require(texts.size <= 1, `a use had ${texts.size} different answers`)
    return { kills, freezes, succeeded: succeeded.length, refused, unknown }
  },
}

interface Uses {
  readonly succeeded: { readonly key: string; readonly text: string }[]
  refused: number
  /** Requests without an answer, or with a 5xx. */
  unknown: number
}

/** Sends a use from many clients until so many are answered, and the decision is used. */
async function useTogether(trial: Trial, urls: readonly string[], use: OutgoingRequest, most: number): Promise<Uses> {
  const uses: Uses = { succeeded: [], refused: 0, unknown: 0 }
  let isUsed = false
  const client = async (_: unknown, index: number) => {
    while (!isUsed || uses.succeeded.length + uses.refused < most) {
      const key = index % 4 > 0 ? SHARED_KEY : randomUUID()
      const headers = { 'idempotency-key': key }
      const answer = await send(trial.pick(urls), { ...use, headers }).catch(() => null)
      if (answer?.status === 200) {
        uses.succeeded.push({ key, text: answer.text })
        isUsed = true
      } else if (answer?.status === 409) {
        uses.refused++
        trial.require(/"decision_(open|used)"/.test(answer.text), `a use was refused: ${answer.text}`)
        isUsed ||= answer.text.includes('"decision_used"')
      } else {
        uses.unknown++
        trial.require(answer === null || answer.status >= 429, `a use was answered ${answer?.status} ${answer?.text}`)
        await delay(20)
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return uses
}

/** Resolves a decision while requests already use it, and the instances are killed and frozen. */
async function settleSoon(trial: Trial, urls: readonly string[], sent: OutgoingRequest): Promise<void> {
  await delay(trial.between(500, 3_000))
  const body = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
  // It may be resolved by an attempt whose answer was lost.
  await insist(urls, { ...sent, method: 'PUT', body })
}
