import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { query } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { must, type Sent, send } from '../service/http.js'
import { openSpace, register } from '../service/people.js'
import type { Trial } from '../trial.js'

const SPACE = 'uses'
const PATH = `/api/spaces/${SPACE}/decisions`
const CLIENTS = 32

/** The key that half of the requests share, as retries of one use. */
const SHARED_KEY = 'retried'

export const oneUse: Row = {
  name: 'C3',
  title: 'one use of a decision under kills and freezes',
  about:
    'Ten thousand requests use one decision through two instances, which are killed, or frozen between a use and its ' +
    'answer. Half of them share an idempotency key. Exactly one use is stored, with one act, and all that succeed have ' +
    'its key and the same answer.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(2)
    const urls = instances.map(({ url }) => url)
    const [url] = urls as [string]
    const ada = await register(url)
    await openSpace(url, ada, SPACE)
    const { key } = ada
    const { decisionId, digest } = await resolvedDecision(url, key)
    const use = { path: `${PATH}/${decisionId}/use`, key, body: { digest } }
    const uses = useTogether(trial, urls, use, trial.isFull ? 10_000 : 200)
    let isOver = false
    const finished = uses.finally(() => {
      isOver = true
    })
    let [kills, freezes] = [0, 0]
    while (!isOver) {
      await delay(trial.between(20, 300))
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

/** Sends a use from many clients until so many are answered. */
async function useTogether(trial: Trial, urls: readonly string[], use: Sent, most: number): Promise<Uses> {
  const uses: Uses = { succeeded: [], refused: 0, unknown: 0 }
  const client = async (_: unknown, index: number) => {
    while (uses.succeeded.length + uses.refused < most) {
      const key = index % 2 === 0 ? SHARED_KEY : randomUUID()
      const headers = { 'idempotency-key': key }
      const answer = await send(trial.pick(urls), { ...use, headers }).catch(() => null)
      if (answer?.status === 200) uses.succeeded.push({ key, text: answer.text })
      else if (answer?.status === 409) uses.refused++
      else {
        uses.unknown++
        trial.require(answer === null || answer.status >= 429, `a use was answered ${answer?.status} ${answer?.text}`)
        await delay(20)
      }
      if (answer?.status === 409)
        trial.require(answer.text.includes('decision_used'), `a use was refused: ${answer.text}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return uses
}

async function resolvedDecision(url: string, key: string) {
  const action = { type: 'deploy', arguments: { version: 82 } }
  const proposal = { proposed_by: 'Ada', text: 'Deploy', action }
  const { decision_id, action: shown } = await must<{ decision_id: string; action: { digest: string } }>(url, {
    path: PATH,
    key,
    body: proposal,
  })
  const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
  await must(url, { method: 'PUT', path: `${PATH}/${decision_id}/resolve`, key, body: settlement })
  return { decisionId: decision_id, digest: shown.digest }
}
