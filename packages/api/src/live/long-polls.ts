import type { Bus, Committed, Database, DecisionKey, InboxOwner, SpaceKey } from '@collab-spaces/db'
import { requireWaitLeft } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { Caller } from '../procedure/credential.js'
import { LongPollQueue } from './long-poll-queue.js'
import type { RevocationWatcher } from './revocation-watcher.js'
import { Wait } from './wait.js'

/** The caller that asks, and the slot of its request. */
interface Asking {
  readonly caller: Caller
  readonly slot: Slot
}

type Leave = () => void

/** The question of a request that may wait for its answer. */
export interface Question<Answer> {
  /** The space that it is about, if it is about one: it ends when its caller is removed. */
  readonly spaceId?: string | undefined
  /** How long it waits at most; 0 for not at all. */
  readonly seconds: number
  readonly look: () => Promise<Answer>
  /** Whether there is nothing yet that is worth an answer. */
  readonly isEmpty: (answer: Answer) => boolean
  /** Has the request woken when something happens, until what this resolves to is called. */
  readonly enter: (wait: Wait) => Leave | Promise<Leave>
}

/** Requests that are answered when there is something to answer (`?wait=`). */
export class LongPolls {
  readonly inboxes: LongPollQueue<InboxOwner>
  readonly decisions: LongPollQueue<DecisionKey>
  /** Requests that wait for answers to events, by the space. */
  readonly receipts: LongPollQueue<SpaceKey>
  readonly #waiting = new Set<Wait>()
  /** How many wait with each credential. */
  readonly #counts = new Map<string, number>()
  #isClosed = false

  constructor(
    { inbox, decisions, receipts }: Pick<Database, 'inbox' | 'decisions' | 'receipts'>,
    private readonly revocations: RevocationWatcher,
    private readonly bus: Bus,
    onFault: (error: unknown) => void,
  ) {
    this.inboxes = new LongPollQueue(
      ({ tenantId, actorId }) => `${tenantId}/${actorId}`,
      (owners) => inbox.withSomething(owners),
      onFault,
    )
    this.decisions = new LongPollQueue(
      ({ tenantId, spaceId, decisionId }) => `${tenantId}/${spaceId}/${decisionId}`,
      (keys) => decisions.settledOf(keys),
      onFault,
    )
    this.receipts = new LongPollQueue(
      ({ tenantId, spaceId }) => `${tenantId}/${spaceId}`,
      (spaces) => receipts.lively(spaces),
      onFault,
    )
    bus.subscribe((signal) => {
      if (signal.kind === 'inbox') this.inboxes.wake(signal)
      if (signal.kind === 'decision') this.decisions.wake(signal)
      // A claim on an event is a part of its receipt.
      if (signal.kind === 'changed' && signal.part !== 'status') this.receipts.wake(signal)
      // An actor that is gone, or is stopped, answers nothing any more.
      if (signal.kind === 'revoked') this.receipts.wakeAllSoon()
      if (signal.kind === 'resumed') {
        void Promise.all([this.inboxes.lookAtAll(), this.decisions.lookAtAll(), this.receipts.lookAtAll()])
      }
    })
  }

  /**
   * The answer to a question, once it is not empty, or as it is when the time is over or this server stops. Throws 429
   * when too many wait with the same credential, and 401 within a second after it has ended.
   */
  async answer<Answer>(asking: Asking, question: Question<Answer>): Promise<Answer> {
    const answer = await question.look()
    return question.seconds > 0 && question.isEmpty(answer) ? this.#wait(asking, question) : answer
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Wakes those whom events address, after their commit: here at once, elsewhere by a signal. */
  committed(events: readonly Committed[]): void {
    for (const { tenantId, addressed } of events) {
      for (const actorId of addressed) this.inboxGrew({ tenantId, actorId })
    }
  }

  /** Call after something that comes into an inbox is committed. */
  inboxGrew({ tenantId, actorId }: InboxOwner): void {
    this.inboxes.wake({ tenantId, actorId })
    this.bus.publish({ kind: 'inbox', tenantId, actorId })
  }

  /** Call after a change to a decision is committed. */
  decisionChanged({ tenantId, spaceId, decisionId }: DecisionKey): void {
    this.decisions.wake({ tenantId, spaceId, decisionId })
    this.bus.publish({ kind: 'decision', tenantId, spaceId, decisionId })
  }

  /** Call after something of a space was marked as done. */
  markedDone({ tenantId, spaceId }: SpaceKey): void {
    this.receipts.wake({ tenantId, spaceId })
    this.bus.publish({ kind: 'changed', tenantId, spaceId, part: 'receipts' })
  }

  /** Answers all who wait with what there is, and those to come at once. */
  close(): void {
    this.#isClosed = true
    for (const wait of this.#waiting) wait.end()
  }

  async #wait<Answer>({ caller, slot }: Asking, question: Question<Answer>): Promise<Answer> {
    const { spaceId } = question
    const wait = new Wait(caller, spaceId === undefined ? null : { tenantId: caller.tenantId, spaceId })
    const end = this.#begin(wait)
    const overdue = setTimeout(() => wait.end(), question.seconds * 1_000)
    const stopListening = slot.claimant.whenGone?.(() => wait.end())
    if (this.#isClosed) wait.end()
    let leave: Leave = () => {}
    try {
      leave = await question.enter(wait)
      while (true) {
        // Events since the last look, before anybody could wake this one, are seen here.
        const answer = await question.look()
        if (!question.isEmpty(answer) || !(await slot.rest(() => wait.next()))) return answer
      }
    } finally {
      clearTimeout(overdue)
      stopListening?.()
      leave()
      end()
    }
  }

  #begin(wait: Wait): Leave {
    const subject = wait.caller.actorId
    const count = this.#counts.get(subject) ?? 0
    requireWaitLeft(count)
    this.#counts.set(subject, count + 1)
    this.#waiting.add(wait)
    this.revocations.watch(wait)
    return () => {
      const left = (this.#counts.get(subject) ?? 1) - 1
      if (left > 0) this.#counts.set(subject, left)
      else this.#counts.delete(subject)
      this.#waiting.delete(wait)
      this.revocations.unwatch(wait)
    }
  }
}
