import { createHash } from 'node:crypto'
import { type Actor, type Client, type InboxItem, SpacesError } from '@collab-spaces/client'
import type { AcpAgent } from './agent.js'
import { Answer, sendable } from './answer.js'
import { AgentFailure } from './failure.js'
import type { Memory, SavedBatch } from './memory.js'
import { Permissions } from './permission.js'
import { firstBatch, promptFor, roomFor } from './prompt.js'

/** How often an agent may fail at a batch before the space is told. */
const MOST_FAILURES = 3

export interface TurnOptions {
  readonly client: Client
  readonly me: Actor
  readonly memory: Memory
  readonly installation_id: string | undefined
  readonly budget: number
  /** The agent, which is started if it does not run. */
  readonly agent: () => Promise<AcpAgent>
  /** What sessions belong to. */
  readonly place: { readonly command: string; readonly cwd: string }
  readonly progress: (space_id: string, text: string) => void
  readonly note: (text: string) => void
}

/** How a turn ended: `event_id` is that of the answer, null where nothing was to be said. */
export interface TurnOutcome {
  readonly space_id: string
  readonly events: number
  readonly outcome: 'done' | 'given_up'
  readonly event_id: string | null
}

/**
 * Has the agent answer what waits in a space, posts the answer as one event, and marks the events as done. It can be
 * killed at any moment: what is under way is saved before, and the key of the answer is made of the events, so the same
 * is asked again, or the same answer is posted again, which is then the same event.
 */
export async function takeTurn(
  space_id: string,
  items: readonly InboxItem[],
  options: TurnOptions,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { memory } = options
  const before = memory.of(space_id).batch
  if (before?.answer !== undefined) return finish(space_id, before, 'done', options, signal)
  const { batch, saved } = begun(before, items, options)
  await memory.change(space_id, { batch: saved })
  try {
    const answer = await answerOf(space_id, batch, saved, options, signal)
    const answered = { ...saved, answer }
    await memory.change(space_id, { batch: answered })
    return await finish(space_id, answered, 'done', options, signal)
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error
    return failed(space_id, saved, error, options, signal)
  }
}

/** The batch that was under way, with what is left of it in the inbox, or else a new one. */
function begun(before: SavedBatch | undefined, items: readonly InboxItem[], { budget }: TurnOptions) {
  const left = items.filter(({ event }) => before?.event_ids.includes(event.event_id))
  if (before && left.length > 0) return { batch: left, saved: before }
  const batch = firstBatch(items, roomFor(budget))
  const event_ids = batch.map(({ event }) => event.event_id)
  return { batch, saved: { event_ids, thread_id: batch[0]?.event.thread_id ?? null, failures: 0 } }
}

/** What the agent has to say to a batch. */
async function answerOf(
  space_id: string,
  batch: readonly InboxItem[],
  saved: SavedBatch,
  { client, me, memory, budget, agent, place, progress, note }: TurnOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const prompt = await promptFor(client, me, batch, { budget, signal })
  const running = await agent()
  const { session } = memory.of(space_id)
  const isItsOwn = session?.command === place.command && session.cwd === place.cwd
  const sessionId = await running.session(isItsOwn ? session.id : undefined)
  await memory.change(space_id, { session: { id: sessionId, ...place } })
  const answer = new Answer()
  const permissions = new Permissions({ client, me, space_id, batch, key: keyOf(saved), note })
  const work = {
    update(update: Parameters<Answer['add']>[0]) {
      answer.add(update)
      if (update.kind === 'tool') permissions.announced(update.call)
      const doing = update.kind === 'tool' ? update.call.title : answer.lastLine
      if (doing) progress(space_id, doing)
    },
    permission: (request: Parameters<Permissions['ask']>[0], asked: AbortSignal) =>
      permissions.ask(request, AbortSignal.any([asked, signal])),
  }
  const stopReason = await running.prompt(sessionId, prompt, work, signal)
  if (stopReason === 'cancelled') throw new AgentFailure('it cancelled its work')
  return answer.text
}

/** After a few failures, those who asked are told, as an answer. */
async function failed(
  space_id: string,
  saved: SavedBatch,
  failure: AgentFailure,
  options: TurnOptions,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const failures = saved.failures + 1
  if (failures < MOST_FAILURES) {
    await options.memory.change(space_id, { batch: { ...saved, failures } })
    throw failure
  }
  options.note(`${space_id}: ${failure.message}\nGiven up after ${MOST_FAILURES} attempts`)
  const answer = sendable(
    `I tried ${MOST_FAILURES} times and could not answer: ${failure.summary}. Ask me again later.`,
  )
  const givenUp = { ...saved, failures, answer }
  await options.memory.change(space_id, { batch: givenUp })
  return finish(space_id, givenUp, 'given_up', options, signal)
}

/** Posts the answer, and marks the batch as done. */
async function finish(
  space_id: string,
  batch: SavedBatch,
  outcome: TurnOutcome['outcome'],
  { client, memory, installation_id }: TurnOptions,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const last = batch.event_ids.at(-1) as string
  const event_id = await posted(space_id, last, batch, client, signal)
  await client.inbox.done.mutate({ through: [{ space_id, event_id: last }], installation_id }, { signal })
  await memory.change(space_id, { batch: undefined })
  return { space_id, events: batch.event_ids.length, outcome, event_id }
}

async function posted(
  space_id: string,
  parent_event_id: string,
  batch: SavedBatch,
  client: Client,
  signal: AbortSignal,
): Promise<string | null> {
  const { answer } = batch
  if (answer === null || answer === undefined) return null
  const thread_id = batch.thread_id ?? undefined
  const idempotency_key = `answer to ${keyOf(batch)}`
  const response = { space_id, parent_event_id, thread_id, text: answer, mentions_from_text: true, idempotency_key }
  try {
    return (await client.event.response.mutate(response, { signal })).event_id
  } catch (error) {
    // Another run, whose memory is lost, has answered.
    if (error instanceof SpacesError && error.detail.startsWith('Idempotency-Key was already used')) return null
    throw error
  }
}

/** The same events have the same key. */
const keyOf = ({ event_ids }: SavedBatch): string =>
  createHash('sha256').update(event_ids.join(' ')).digest('hex').slice(0, 40)
