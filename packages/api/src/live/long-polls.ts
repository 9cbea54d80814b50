import type { Bus, CommittedEvent, Database, DecisionKey, InboxOwner, SpaceKey } from '@collab-spaces/db'
import { requireWaitLeft, waitOf } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { Caller } from '../procedure/credential.js'
import { LongPollQueue } from './long-poll-queue.js'
import type { RevocationWatcher } from './revocation-watcher.js'
import { Wait } from './wait.js'

/** A request that may wait: its caller and its slot. */
interface WaitingRequest {
  readonly caller: Caller
  readonly slot: Slot
}

type Leave = () => void

/** What a request waits for. */
export interface LongPoll<Answer> {
  /** The space that it is about, if any: it ends when its caller is removed. */
  readonly spaceId?: string | undefined
  /** Timeout; 0 for an immediate response. */
  readonly seconds: number
  readonly look: () => Promise<Answer>
  /** Whether the answer is still empty. */
  readonly isEmpty: (answer: Answer) => boolean
  /** Registers the request for wake-ups. Resolves to the function that unregisters it. */
  readonly enter: (wait: Wait) => Leave | Promise<Leave>
}

/** Long polls: requests with `?wait=`, answered once there is something to return. */
export class LongPolls {
  readonly inboxes: LongPollQueue<InboxOwner>
  readonly decisions: LongPollQueue<DecisionKey>
  /** Long polls for receipts of events, by the space. */
  readonly receipts: LongPollQueue<SpaceKey>
  readonly #waiting = new Set<Wait>()
  /** The number of waiting requests of each actor. */
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
      // A claim on an event is part of its receipt.
      if (signal.kind === 'changed' && signal.part !== 'status') this.receipts.wake(signal)
      // A removed or stopped actor no longer answers.
      if (signal.kind === 'revoked') this.receipts.wakeAllSoon()
      if (signal.kind === 'resumed') {
        void Promise.all([this.inboxes.scan(), this.decisions.scan(), this.receipts.scan()])
      }
    })
  }

  /**
   * Returns the answer once it is not empty, at the timeout, or when this server stops. 429 for too many waiting requests
   * of an actor, and 401 within a second after the credential has ended.
   */
  async answer<Answer>(asking: WaitingRequest, question: LongPoll<Answer>): Promise<Answer> {
    const answer = await question.look()
    return question.seconds > 0 && question.isEmpty(answer) ? this.#wait(asking, question) : answer
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Wakes the recipients of committed events: here at once, on other instances by a signal. */
  committed(events: readonly CommittedEvent[]): void {
    for (const { tenantId, addressed } of events) {
      for (const actorId of addressed) this.inboxGrew({ tenantId, actorId })
    }
  }

  /** Call after the commit of a new inbox item. */
  inboxGrew({ tenantId, actorId }: InboxOwner): void {
    this.inboxes.wake({ tenantId, actorId })
    this.bus.publish({ kind: 'inbox', tenantId, actorId })
  }

  /** Call after the commit of a change to a decision. */
  decisionChanged({ tenantId, spaceId, decisionId }: DecisionKey): void {
    this.decisions.wake({ tenantId, spaceId, decisionId })
    this.bus.publish({ kind: 'decision', tenantId, spaceId, decisionId })
  }

  /** Call after events of a space were marked as done. */
  receiptsChanged({ tenantId, spaceId }: SpaceKey): void {
    this.receipts.wake({ tenantId, spaceId })
    this.bus.publish({ kind: 'changed', tenantId, spaceId, part: 'receipts' })
  }

  /** Ends all waits, and those that begin later. */
  close(): void {
    this.#isClosed = true
    for (const wait of this.#waiting) wait.end()
  }

  async #wait<Answer>({ caller, slot }: WaitingRequest, question: LongPoll<Answer>): Promise<Answer> {
    const { spaceId } = question
    const wait = new Wait(caller, spaceId === undefined ? null : { tenantId: caller.tenantId, spaceId })
    const end = this.#begin(wait)
    const overdue = setTimeout(() => wait.end(), waitOf(caller.stopped, question.seconds) * 1_000)
    const stopListening = slot.request.whenGone?.(() => wait.end())
    if (this.#isClosed) wait.end()
    let leave: Leave = () => {}
    try {
      leave = await question.enter(wait)
      while (true) {
        // Sees changes since the first read, before this poll could be woken.
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
