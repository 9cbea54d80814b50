import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type Inbox, type InboxItem, PAGES, SpacesError, WAIT } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { explain } from '../explain.js'
import { Failure, failed } from '../failure.js'
import { Backoff } from '../inbox/backoff.js'
import { isEmpty, mayGoOn } from '../inbox/next.js'
import { bySpace, wordsOf } from '../show/inbox.js'
import { counted } from '../terminal/prose.js'
import { body, styled } from '../terminal/styled.js'
import { AcpAgent, type AgentOptions } from './agent.js'
import { AgentFailure, InterruptedError } from './failure.js'
import { type TurnOptions, type TurnOutcome, takeTurn } from './turn.js'

/** How many spaces the agent works for at a time. A request that waits for a settlement is one of four that may wait. */
const MAX_TURNS = 3

/** How often the inbox is read while the agent works: for other spaces, and to learn that the agent is stopped. */
const POLL_MS = 2_000

/** How often in a row the agent may fail to start. */
const MAX_STARTS = 5

/** The longest pause of a space in which something has failed. */
const LONGEST_REST_MS = 60_000

export interface RunnerOptions extends Omit<TurnOptions, 'agent' | 'place' | 'progress' | 'note'> {
  readonly agent: AgentOptions
}

/** Drives an agent with what comes into its inbox, a few spaces at a time and each in turn. */
export class Runner {
  #agent: AcpAgent | null = null
  #starting: Promise<AcpAgent> | null = null
  /** Starts that failed in a row. */
  #failedStarts = 0
  #turns = new Map<string, Promise<void>>()
  #rests = new Map<string, { readonly until: number; readonly failures: number }>()
  /** Fires when the agent is stopped. */
  #stop = new AbortController()
  #isStopped = false
  /** Fires with what ends the run. */
  readonly #fatal = new AbortController()
  readonly #client: Client

  constructor(
    private readonly cli: Cli,
    private readonly options: RunnerOptions,
  ) {
    this.#client = options.client
  }

  /** Runs until the signal fires, or something fails that no repetition mends. */
  async run(interrupted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([interrupted, this.#fatal.signal])
    try {
      // A command that cannot work is told at once, and not tried again.
      this.#failedStarts = MAX_STARTS - 1
      await this.#shared()
      const backoff = new Backoff(signal)
      while (!signal.aborted) await this.#look(signal, backoff)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#stop.abort()
      await Promise.all(this.#turns.values())
      await this.#agent?.end()
    }
    if (this.#fatal.signal.aborted) throw this.#fatal.signal.reason
  }

  /** Reads the inbox once, and has the agent work on what is there. */
  async #look(signal: AbortSignal, backoff: Backoff): Promise<void> {
    try {
      const isBusy = this.#turns.size + this.#rests.size > 0 || this.#isStopped
      const { installation_id } = this.options
      const wait = isBusy ? 0 : WAIT.max
      const inbox = await this.#client.inbox.get.query({ limit: PAGES.inbox.max, wait, installation_id }, { signal })
      this.#applyStop(inbox.stopped)
      if (inbox.stopped && this.#turns.size === 0) return await backoff.pause()
      backoff.reset()
      if (!inbox.stopped) await this.#begin(inbox, signal)
      if (this.#turns.size + this.#rests.size > 0) await this.#pause(signal)
    } catch (error) {
      if (signal.aborted) return
      if (!mayGoOn(error)) throw error
      this.cli.out.note(styled`${error.detail}. Trying again`)
      await backoff.pause()
    }
  }

  /** Until it is time to look again, or a turn has ended. */
  async #pause(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const pause = delay(POLL_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {})
    await Promise.race([pause, ...this.#turns.values()])
    over.abort()
  }

  /** Cancels the work of an agent that is stopped. */
  #applyStop(stopped: Inbox['stopped']): void {
    if (stopped && !this.#isStopped) {
      this.cli.out.note(styled`Stopped: ${stopped.reason ?? 'no reason given'}`)
      this.#stop.abort()
    }
    if (!stopped && this.#isStopped) this.#stop = new AbortController()
    this.#isStopped = stopped !== null
  }

  async #begin(inbox: Inbox, signal: AbortSignal): Promise<void> {
    if (!isEmpty(inbox)) await this.#tellNotices(inbox)
    for (const [space_id, { until }] of this.#rests) {
      if (until <= Date.now() && !inbox.items.some((item) => item.space_id === space_id)) this.#rests.delete(space_id)
    }
    for (const [space_id, items] of bySpace(inbox.items)) {
      const isResting = (this.#rests.get(space_id)?.until ?? 0) > Date.now()
      if (isResting || this.#turns.has(space_id) || this.#turns.size >= MAX_TURNS) continue
      const turn = this.#take(space_id, items, AbortSignal.any([signal, this.#stop.signal]))
      this.#turns.set(
        space_id,
        turn.finally(() => this.#turns.delete(space_id)),
      )
    }
  }

  /** People read notices; an agent could do nothing about them. */
  async #tellNotices({ notices, done }: Inbox): Promise<void> {
    if (notices.length === 0) return
    for (const { kind, details } of notices) this.cli.out.note(wordsOf(kind, details))
    await this.#client.inbox.done.mutate({ notices: done.notices, installation_id: this.options.installation_id })
  }

  /** Works on what waits in a space. Never fails. */
  async #take(space_id: string, items: readonly InboxItem[], signal: AbortSignal): Promise<void> {
    const progress = this.cli.out.progress()
    try {
      const outcome = await takeTurn(space_id, items, this.#turnOptions(progress), signal)
      this.#rests.delete(space_id)
      await this.#tell(outcome, signal)
    } catch (error) {
      progress.end()
      if (!signal.aborted) await this.#failed(space_id, error, signal)
    } finally {
      progress.end()
    }
  }

  #turnOptions(line: ReturnType<Cli['out']['progress']>): TurnOptions {
    const { command, cwd } = this.options.agent
    return {
      ...this.options,
      place: { command, cwd },
      agent: (kind) => (kind === 'own' ? this.#start() : this.#shared()),
      // The one place where it is told what an agent is doing.
      progress: (space_id, text) => line.show(`${space_id}: ${text}`),
      note: (text) => {
        line.end()
        this.cli.out.note(text)
      },
    }
  }

  /** The space rests for a while, longer from failure to failure. */
  async #failed(space_id: string, error: unknown, signal: AbortSignal): Promise<void> {
    if (isFatal(error)) return this.#fatal.abort(error)
    const isOthers = error instanceof InterruptedError
    const failures = (this.#rests.get(space_id)?.failures ?? 0) + (isOthers ? 0 : 1)
    const ms = Math.min(1_000 * 2 ** Math.max(0, failures - 1), LONGEST_REST_MS)
    this.#rests.set(space_id, { until: Date.now() + ms, failures })
    if (isOthers) return
    const detail = error instanceof AgentFailure ? `The agent failed: it ${error.message}` : explain(error).detail
    if (this.cli.out.json) return this.cli.out.item({ space_id, outcome: 'failed', detail }, () => '', signal)
    this.cli.out.note(styled`${space_id}: ${body(detail)}\nTrying again in ${ms / 1_000} seconds`)
  }

  async #tell(result: TurnOutcome, signal: AbortSignal): Promise<void> {
    if (this.cli.out.json) return this.cli.out.item(result, () => '', signal)
    const { space_id, events, outcome, event_id } = result
    const answer = event_id === null ? 'nothing to say' : `event ${event_id}`
    if (outcome === 'done') this.cli.out.note(`${space_id}: ${counted(events, 'event')} done, ${answer}`)
  }

  /** The agent that spaces share, which is started when it does not run. */
  #shared(): Promise<AcpAgent> {
    this.#starting ??= this.#restarted().finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  async #restarted(): Promise<AcpAgent> {
    if (this.#agent?.isAlive) return this.#agent
    await this.#agent?.end()
    this.#agent = await this.#start()
    return this.#agent
  }

  async #start(): Promise<AcpAgent> {
    try {
      const agent = await AcpAgent.start(this.options.agent)
      this.#failedStarts = 0
      return agent
    } catch (error) {
      if (!(error instanceof AgentFailure)) throw error
      if (++this.#failedStarts >= MAX_STARTS) throw cannotStart(error)
      // A failed start is no failure at a batch.
      throw new Error(`The agent cannot be started: it ${error.message}`)
    }
  }
}

const cannotStart = ({ message }: Error) => failed(`The agent cannot be started: it ${message}`)

/** Whether no repetition mends it. */
const isFatal = (error: unknown): boolean =>
  error instanceof Failure ||
  (error instanceof SpacesError &&
    (error.status === 401 || ['insufficient_scope', 'agent_connected'].includes(String(error.fields.error))))
