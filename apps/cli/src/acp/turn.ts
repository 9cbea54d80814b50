import { createHash } from 'node:crypto'
import { type Actor, type Client, cutText, type InboxItem, SpacesError } from '@collab-spaces/client'
import { styled, type Text } from '../terminal/styled.js'
import type { AcpAgent, Work } from './agent.js'
import { Answer, sendable } from './answer.js'
import { ClaimedWork } from './claimed-work.js'
import { AgentFailure } from './failure.js'
import type { Memory, SavedBatch, SpaceMemory } from './memory.js'
import { directoryOf, handBack, type Outbox, putAway, textWith } from './outbox.js'
import { Permissions, type Permit } from './permission.js'
import { firstBatch, promptFor, roomFor } from './prompt.js'
import { receive, receivedDirectory, removeReceived } from './received.js'

/** How often an agent may fail at a batch before the space is told. */
const MAX_FAILURES = 3

const LONGEST_NOTICE = 500

export interface TurnOptions {
  readonly client: Client
  readonly memory: Memory
  readonly installation_id: string | undefined
  readonly budget: number
  readonly permit: Permit
  /** The program that spaces share, or one that ends with the attempt; started if it does not run. */
  readonly agent: (kind: 'shared' | 'own') => Promise<AcpAgent>
  /** The command and the directory that sessions belong to. */
  readonly place: { readonly command: string; readonly cwd: string }
  readonly progress: (space_id: string, text: string) => void
  readonly note: (text: Text) => void
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
  const { client } = options
  const me = await client.actor.me.query(undefined, { signal })
  const memory = options.memory.of(me, space_id)
  const begins = begun(memory.saved.batch, items, options)
  const work = await ClaimedWork.take(client, space_id, begins.saved.event_ids, signal)
  try {
    // Its events are gone, as after a backup was restored.
    if (work.events === 0 && work.claims.refusal?.status === 404) await memory.change({ batch: undefined })
    const { batch, saved } = claimedOf(begins, work)
    await memory.change({ batch: saved })
    const lasting = AbortSignal.any([signal, work.claims.lost])
    return await worked({ space_id, me, memory, batch, saved, work, options, signal: lasting })
  } finally {
    await work.claims.release()
  }
}

interface Turn {
  readonly space_id: string
  readonly me: Actor
  readonly memory: SpaceMemory
  /** The part of it that is left in the inbox. */
  readonly batch: readonly InboxItem[]
  readonly saved: SavedBatch
  readonly work: ClaimedWork
  readonly options: TurnOptions
  readonly signal: AbortSignal
}

async function worked(turn: Turn): Promise<TurnOutcome> {
  const { memory, saved, options } = turn
  try {
    if (saved.answer !== undefined) return await finish(turn, saved, 'done')
    const answered = { ...saved, answer: await answerOf(turn) }
    await memory.change({ batch: answered })
    return await finish(turn, answered, 'done')
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error
    return await failed(turn, error)
  } finally {
    await removeReceived(options.place.cwd, keyOf(saved))
  }
}

type PendingTurn = Pick<Turn, 'batch' | 'saved'>

/** The batch that was under way, with what is left of it in the inbox, or else a new one. */
function begun(before: SavedBatch | undefined, items: readonly InboxItem[], { budget }: TurnOptions): PendingTurn {
  const left = items.filter(({ event }) => before?.event_ids.includes(event.event_id))
  if (before && (left.length > 0 || before.answer !== undefined)) return { batch: left, saved: before }
  const batch = firstBatch(items, roomFor(budget))
  const event_ids = batch.map(({ event }) => event.event_id)
  return { batch, saved: { event_ids, thread_id: batch[0]?.event.thread_id ?? null, failures: 0 } }
}

/** The events of a batch that no other agent works on. Fails if none are left, or all are answered already. */
function claimedOf({ batch, saved }: PendingTurn, { events, claims: { refusal } }: ClaimedWork): PendingTurn {
  if (!refusal) return { batch, saved }
  const event_ids = saved.event_ids.slice(0, events)
  const left = batch.filter(({ event }) => event_ids.includes(event.event_id))
  if (left.length === 0 || saved.answer !== undefined) throw refusal
  return { batch: left, saved: { ...saved, event_ids } }
}

/**
 * The agent's answer to a batch. After a failure it is asked in another session and program: the earlier prompts of the
 * session may be the reason, or another space that shared the program. The last attempt goes without images.
 */
async function answerOf(turn: Turn): Promise<string | null> {
  const { failures } = turn.saved
  if (failures === 0) return answerBy(await turn.options.agent('shared'), turn)
  const own = await turn.options.agent('own')
  return answerBy(own, turn).finally(() => own.end())
}

async function answerBy(running: AcpAgent, turn: Turn): Promise<string | null> {
  const { space_id, me, memory, batch, saved, work: claimed, options, signal } = turn
  const { client, budget, permit, place, progress, note } = options
  const key = keyOf(saved)
  const takesImages = running.takesImages && saved.failures < MAX_FAILURES - 1
  const files = await receive(client, batch, { cwd: place.cwd, key, takesImages, signal })
  const received = files.length > 0 ? receivedDirectory(key) : null
  const text = await promptFor(client, me, batch, { budget, received, outbox: directoryOf({ key }), signal })
  const { session } = memory.saved
  const isItsOwn = session?.command === place.command && session.cwd === place.cwd
  const sessionId = await running.session(isItsOwn && saved.failures === 0 ? session.id : undefined)
  await memory.change({ session: { id: sessionId, ...place } })
  const answer = new Answer()
  const permissions = new Permissions({ client, me, space_id, batch, key, permit, note })
  const work: Work = {
    update(update) {
      answer.add(update)
      if (update.kind === 'notice') note(styled`${space_id}: ${cutText(update.text, LONGEST_NOTICE)}`)
      if (update.kind === 'tool') permissions.announced(update.call)
      const doing = update.kind === 'tool' ? update.call.title : answer.lastLine
      if (!doing || update.kind === 'notice') return
      progress(space_id, doing)
      claimed.tell(doing)
    },
    permission: (request, asked) => permissions.ask(request, AbortSignal.any([asked, signal])),
  }
  const stopReason = await running.prompt(sessionId, [{ type: 'text', text }, ...files], work, signal)
  if (stopReason === 'cancelled' || (stopReason !== 'end_turn' && answer.text === null))
    throw new AgentFailure('it stopped before its answer', `stopped before its answer: ${stopReason}`)
  return answer.text
}

/** After a few failures, those who asked are told, as an answer. */
async function failed(turn: Turn, failure: AgentFailure): Promise<TurnOutcome> {
  const { space_id, memory, saved, options } = turn
  const failures = saved.failures + 1
  if (failures < MAX_FAILURES) {
    await memory.change({ batch: { ...saved, failures } })
    throw failure
  }
  options.note(`${space_id}: ${failure.message}\nGiven up after ${MAX_FAILURES} attempts`)
  const answer = sendable(`I tried ${MAX_FAILURES} times and could not answer: ${failure.summary}. Ask me again later.`)
  const givenUp = { ...saved, failures, answer, file_ids: [] }
  await memory.change({ batch: givenUp })
  return finish(turn, givenUp, 'given_up')
}

/** Posts the answer with its files, and marks the batch as done. */
async function finish(turn: Turn, answered: SavedBatch, outcome: TurnOutcome['outcome']): Promise<TurnOutcome> {
  const { space_id, memory, work, signal } = turn
  const { client, installation_id } = turn.options
  const batch = answered.file_ids === undefined ? await withFiles(turn, answered) : answered
  const event_id = await posted(turn, batch).catch(async (error: unknown) => {
    if (!isFileGone(error)) throw error
    return posted(turn, await withFiles(turn, batch))
  })
  const through = [{ space_id, event_id: lastOf(batch) }]
  await client.inbox.done.mutate({ through, claim: work.held, installation_id }, { signal })
  await putAway(outboxOf(turn, batch))
  await memory.change({ batch: undefined })
  return { space_id, events: batch.event_ids.length, outcome, event_id }
}

const outboxOf = ({ space_id, options }: Turn, batch: SavedBatch): Outbox => ({
  cwd: options.place.cwd,
  space_id,
  key: keyOf(batch),
})

/** Files that no event names are deleted after a while, as when an answer is refused for long. */
const isFileGone = (error: unknown) =>
  error instanceof SpacesError && /^(File not found|The file was deleted)/.test(error.detail)

/** Uploads the files of an answer. They are saved with it, so that it is posted with the same ones after a crash. */
async function withFiles(turn: Turn, answered: SavedBatch): Promise<SavedBatch> {
  const { space_id, memory, options, signal } = turn
  const handed = await handBack(options.client, outboxOf(turn, answered), signal)
  if (handed.leftOut !== null) options.note(styled`${space_id}: ${handed.leftOut}`)
  const { file_ids } = handed
  const { answer = null } = answered
  const batch = { ...answered, answer: answered.file_ids ? answer : textWith(answer, handed), file_ids }
  await memory.change({ batch })
  return batch
}

async function posted({ space_id, work, options, signal }: Turn, batch: SavedBatch): Promise<string | null> {
  const { answer: text, file_ids = [] } = batch
  if (text === null || text === undefined) return null
  const files = file_ids.length > 0 ? { file_ids: [...file_ids] } : {}
  const place = { space_id, parent_event_id: lastOf(batch), thread_id: batch.thread_id ?? undefined }
  const idempotency_key = `answer to ${keyOf(batch)}`
  // Of what is written, only one claim can be sent along.
  await work.claims.confirm(signal)
  try {
    const sent = { ...place, text, mentions_from_text: true, ...files, idempotency_key, claim: work.held }
    return (await options.client.event.response.mutate(sent, { signal })).event_id
  } catch (error) {
    // Another run, whose memory is lost, has answered.
    if (error instanceof SpacesError && error.detail.startsWith('Idempotency-Key was already used')) return null
    throw error
  }
}

/** The event that is answered, as the last of them. */
const lastOf = ({ event_ids }: SavedBatch): string => event_ids.at(-1) as string

/** The same events have the same key. */
const keyOf = ({ event_ids }: SavedBatch): string =>
  createHash('sha256').update(event_ids.join(' ')).digest('hex').slice(0, 40)
