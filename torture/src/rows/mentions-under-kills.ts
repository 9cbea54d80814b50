import { randomUUID } from 'node:crypto'
import { inDatabase, postmasterOf, query } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { insist, insistOn } from '../service/insist.js'
import { openSpace, register } from '../service/people.js'
import { startPostgres } from '../service/postgres.js'
import { settingsFor, type Trial } from '../trial.js'

const DATABASE = 'torture'
const AGENTS = 6
/**
 * The number of questions between two faults. An agent holds at most 100 claims, so killed agents must not leave too
 * many.
 */
const QUESTIONS: readonly [number, number] = [20, 80]
/** The share of questions in a conversation; the others mention their agent in a space. */
const DIRECT = 0.5
const SPACE = 'mentions'
const INBOX = '/api/actors/me/inbox'

interface Agent {
  readonly id: string
  readonly key: string
  /** The conversation with the human who asks. */
  readonly conversation: string
}

interface Item {
  readonly event: { readonly event_id: string; readonly space_id: string }
}

/** A question to an agent, and its space. */
interface Question {
  readonly agent: Agent
  readonly space: string
}

interface Receipt {
  readonly actor_id: string
  readonly state: string
  readonly by_event_id: string | null
}

/** The outcome of a question. */
type Deed = { readonly answer: string } | 'declined'

/** Outcomes that an agent has started to write. */
type PendingAnswer = Map<string, Set<string>>
const OWN_STATES = ['working', 'answered', 'declined']

/** The share of steps after which the receipt is checked. */
const CHECKED = 0.3

const pathOf = (space: string) => `/api/spaces/${space}`

export const mentionsUnderKills: Row = {
  name: 'C1',
  title: 'mentions and conversations while agents, servers and PostgreSQL are killed',
  about:
    'Agents on two instances claim, answer or decline their mentions and the events of their conversations, and are ' +
    'killed at any point, as are the instances and PostgreSQL. In the end each event for an agent has been ' +
    'answered once or declined. Receipts are checked after each ' +
    'step of an agent and in between: none reports more or less than its agent has done.',
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    const connection = inDatabase(postgres.template, DATABASE)
    await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${DATABASE} TEMPLATE spaces_template`)
    const instances = await trial.instances(2, settingsFor(connection))
    const urls = instances.map(({ url }) => url)
    const ada = await register(urls[0] as string)
    await openSpace(urls[0] as string, ada, SPACE)
    const agents: Agent[] = []
    for (let n = 0; n < AGENTS; n++) {
      const body = { display_name: `Agent ${n}`, actor_type: 'agent' }
      const { actor_id, api_key } = await insistOn<{ actor_id: string; api_key: string }>(urls, {
        path: '/api/actors',
        key: ada.key,
        body,
      })
      const { space_id } = await insistOn<{ space_id: string }>(urls, {
        path: '/api/conversations',
        key: ada.key,
        body: { actor_ids: [actor_id] },
      })
      agents.push({ id: actor_id, key: api_key, conversation: space_id })
    }

    const asked = new Map<string, Question>()
    const deeds = new Map<string, Deed>()
    const begun: PendingAnswer = new Map()
    let untrue = 0
    const receiptOf = async (id: string, space: string) =>
      (await insistOn<Receipt[]>(urls, { path: `${pathOf(space)}/events/${id}/receipts`, key: ada.key }))[0]
    /** Checks a receipt after a committed step: it has one of these states. */
    const stands = async (id: string, space: string, ...states: string[]) => {
      if (trial.random() < CHECKED && !states.includes((await receiptOf(id, space))?.state ?? '')) untrue++
    }
    /** Checks a receipt at any time: it reports no state that its agent has not started or could not reach yet. */
    const lookAt = async (id: string, { agent, space }: Question) => {
      const state = (await receiptOf(id, space))?.state ?? ''
      if (OWN_STATES.includes(state) && !begun.get(id)?.has(state)) untrue++
      // Questions are delivered one at a time: while an older one of the space is open, this one has not been
      // delivered.
      const older = [...asked].slice(0, [...asked.keys()].indexOf(id))
      const isBehind = older.some(([other, one]) => one.agent === agent && one.space === space && !deeds.has(other))
      if (isBehind && !['waiting', 'unreachable'].includes(state)) untrue++
    }
    let isOver = false
    let agentsKilled = 0
    const work = async (agent: Agent) => {
      while (!isOver || [...asked].some(([id, one]) => one.agent === agent && !deeds.has(id)))
        if (!(await oneBatch(trial, urls, agent, { deeds, begun, stands }))) agentsKilled++
    }
    const workers = Promise.all(agents.map(work))
    // Awaited after the faults. A rejection before would end the program without its cleanup.
    workers.catch(() => undefined)

    let kills = 0
    while (trial.hasTimeFor(kills)) {
      for (let n = trial.between(...QUESTIONS); n > 0; n--) {
        const agent = trial.pick(agents)
        const isDirect = trial.random() < DIRECT
        const space = isDirect ? agent.conversation : SPACE
        const body = { text: 'Please', ...(!isDirect && { metadata: { mentions: [agent.id] } }) }
        const headers = { 'Idempotency-Key': randomUUID() }
        const { event_id } = await insistOn<{ event_id: string }>(urls, {
          path: `${pathOf(space)}/speech`,
          key: ada.key,
          headers,
          body,
        })
        asked.set(event_id, { agent, space })
      }
      for (const [id, question] of [trial.pick([...asked]), ...[...asked].slice(-2)]) await lookAt(id, question)
      if (trial.random() < 0.5) {
        const victim = trial.pick(instances)
        await victim.kill()
        await victim.start()
      } else {
        const victim = await postmasterOf(postgres.dataDir)
        if (victim !== undefined) process.kill(victim, 'SIGKILL')
      }
      kills++
    }
    isOver = true
    await workers

    let [lost, doubled, wrong] = [0, 0, 0]
    const { rows } = await query(
      connection,
      `SELECT wire::json ->> 'parent_event_id' AS id FROM events WHERE wire::json ->> 'parent_event_id' IS NOT NULL`,
    )
    for (const [id, { agent, space }] of asked) {
      const answers = rows.filter((row) => row.id === id).length
      const deed = deeds.get(id)
      if (deed === undefined) lost++
      if (answers > 1 || (deed === 'declined' && answers > 0)) doubled++
      const receipt = await receiptOf(id, space)
      const isTrue =
        receipt?.actor_id === agent.id &&
        (deed === 'declined'
          ? receipt.state === 'declined'
          : receipt.state === 'answered' && receipt.by_event_id === deed?.answer)
      if (!isTrue) wrong++
    }
    trial.require(lost === 0, `${lost} questions were lost`)
    trial.require(doubled === 0, `${doubled} questions were answered twice`)
    trial.require(wrong === 0, `${wrong} receipts say what is not so`)
    trial.require(untrue === 0, `${untrue} receipts said what was not so while agents worked`)
    const direct = [...asked.values()].filter(({ space }) => space !== SPACE).length
    return {
      mentions: asked.size - direct,
      'in conversations': direct,
      kills,
      'agents killed': agentsKilled,
      lost,
      doubled,
      wrong,
      untrue,
    }
  },
}

interface AgentNotes {
  readonly deeds: Map<string, Deed>
  readonly begun: PendingAnswer
  readonly stands: (id: string, space: string, ...states: string[]) => Promise<void>
}

/** Handles the first item of an inbox, as a stateless agent. Returns false if it was killed meanwhile. */
async function oneBatch(
  trial: Trial,
  urls: readonly string[],
  { key }: Agent,
  { deeds, begun, stands }: AgentNotes,
): Promise<boolean> {
  const isKilled = () => trial.random() < 0.1
  const { items } = await insistOn<{ items: Item[] }>(urls, { path: `${INBOX}?wait=1&limit=1`, key })
  const [item] = items
  if (!item) return true
  const { event_id, space_id } = item.event
  if (isKilled()) return false
  const begin = (state: string) => begun.set(event_id, (begun.get(event_id) ?? new Set()).add(state))
  begin('working')
  const claim = await insistOn<{ claim_id: string; fence: number }>(urls, {
    path: `${pathOf(space_id)}/claims`,
    key,
    body: { event_id },
  })
  // A killed attempt may have answered before it marked the item as done.
  await stands(event_id, space_id, 'working', 'answered')
  if (isKilled()) return false
  const held = { claim_id: claim.claim_id, fence: claim.fence }
  const through = [{ space_id, event_id }]
  // Deterministic, as the agent would decide the same way about the same event.
  if (event_id.charCodeAt(event_id.length - 1) % 4 === 0) {
    begin('declined')
    const { status } = await insist(urls, {
      path: `${INBOX}/done`,
      key,
      body: { through, outcome: 'declined', claim: held },
    })
    if (status !== 200) return true
    deeds.set(event_id, 'declined')
    await stands(event_id, space_id, 'declined')
    return true
  }
  begin('answered')
  const answer = await insist(urls, {
    path: `${pathOf(space_id)}/response`,
    key,
    headers: { 'Idempotency-Key': `answer to ${event_id}` },
    body: { text: 'Here', parent_event_id: event_id, claim: held },
  })
  if (answer.status !== 200) return true
  deeds.set(event_id, { answer: JSON.parse(answer.text).event_id })
  await stands(event_id, space_id, 'answered')
  if (isKilled()) return false
  await insistOn(urls, { path: `${INBOX}/done`, key, body: { through, claim: held } })
  if (isKilled()) return false
  // The claim may have lapsed, or an attempt whose answer was lost may have released it.
  await insist(urls, { method: 'DELETE', path: `${pathOf(space_id)}/claims/${held.claim_id}`, key })
  return true
}
