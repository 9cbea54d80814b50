import { createHash, randomUUID } from 'node:crypto'
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import {
  type Actor,
  type Client,
  cutText,
  type Decision,
  type InboxItem,
  LIMITS,
  SpacesError,
  WAIT,
} from '@collab-spaces/client'
import { actionDigest } from '@collab-spaces/merkle'
import { Backoff } from '../inbox/backoff.js'
import { isOpen } from '../show/decision.js'
import { cleanLine } from '../terminal/clean.js'
import { styled, type Text } from '../terminal/styled.js'
import { sendable } from './answer.js'
import { actionOf, type Choices, choicesOf, isComplete } from './permission-action.js'

/** How much of a tool call is shown. A decision says how much more there is. */
const SHOWN = 20_000

/** How many permissions of one batch can be open. A sensible agent has a few. */
const MAX_OPEN = 20

/** How many tool calls of one batch are remembered. */
const MAX_CALLS = 500

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

/**
 * The actors who, besides the sponsor, can allow what an agent asks for. The person who starts the command names them,
 * as the work is done on their machine: anyone can make a space, and say there who settles its decisions.
 */
export interface Permit {
  readonly actorIds: readonly string[]
  /** Whether it is for those who may settle the decisions of the space. */
  readonly byPolicy: boolean
  /** From the IDs of those, and of the sponsor, to their names, as far as they are known. */
  readonly names: ReadonlyMap<string, string>
}

export interface PermissionContext {
  readonly client: Client
  readonly me: Actor
  readonly space_id: string
  readonly batch: readonly InboxItem[]
  /** The name of the batch: the same after a restart. */
  readonly key: string
  readonly permit: Permit
  readonly note: (text: Text) => void
}

/**
 * The permissions that an agent asks for while it works on a batch. Each becomes a decision of the space about the
 * complete tool call, which is keyed by what is asked, and how often before: an agent that asks the same after a restart
 * gets the answer that was given meanwhile. Its answer comes only after the use of the decision, so that each permission
 * serves once, also after a crash between the two. One follows the other, as people are asked.
 */
export class Permissions {
  readonly #calls = new Map<string, ToolCallUpdate>()
  readonly #asked = new Map<string, number>()
  #last: Promise<unknown> = Promise.resolve()
  #open = 0

  constructor(private readonly context: PermissionContext) {}

  /** Requests often name only the ID of a call that was announced. */
  announced(call: ToolCallUpdate): void {
    if (this.#calls.size >= MAX_CALLS && !this.#calls.has(call.toolCallId)) return
    this.#calls.set(call.toolCallId, { ...this.#calls.get(call.toolCallId), ...call })
  }

  /** The option that was chosen, once the decision is used; cancelled when the signal fires before. */
  async ask({ toolCall, options }: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    if (this.#open >= MAX_OPEN) return refused(options)
    this.#open++
    const given = Object.fromEntries(
      Object.entries(toolCall).filter(([, value]) => value !== undefined && value !== null),
    )
    const turn = this.#last.then(() =>
      this.#settled({ ...this.#calls.get(toolCall.toolCallId), ...given } as ToolCallUpdate, options, signal),
    )
    this.#last = turn.catch(() => {})
    return turn.finally(() => this.#open--)
  }

  async #settled(
    call: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const choices = choicesOf(options)
    if (!isComplete(call) || choices === null) {
      this.context.note(`${this.context.space_id}: refused: ${titleOf(call)} is too large to be shown as a whole`)
      return refused(options)
    }
    try {
      for (;;) {
        const decision = await this.#decision(call, choices, signal)
        const isGiven = decision.status === 'resolved' && mayAllow(this.context, decision.settled_by)
        const option = isGiven ? choices.options.get(decision.option ?? '') : undefined
        if (option === undefined || isDenial(option)) return this.#refused(decision, option, options)
        if (await this.#isUsed(decision, call, signal)) {
          this.#tell(decision, 'allowed')
          return selected(option)
        }
        this.#tell(decision, 'asked for again: it served before')
      }
    } catch (error) {
      if (signal.aborted) return CANCELLED
      if (!(error instanceof SpacesError)) throw error
      this.context.note(styled`${this.context.space_id}: no permission could be asked for: ${error.detail}`)
      return refused(options)
    }
  }

  #refused(decision: Decision, option: PermissionOption | undefined, options: readonly PermissionOption[]) {
    const isForeign = decision.status === 'resolved' && !mayAllow(this.context, decision.settled_by)
    this.#tell(decision, isForeign ? 'refused: it cannot be allowed' : 'refused')
    return option === undefined ? refused(options) : selected(option)
  }

  #tell({ decision_id, settled_by }: Decision, outcome: string): void {
    const { space_id, note } = this.context
    note(`${space_id}: ${outcome}${settled_by === null ? '' : ` by ${settled_by}`} (decision ${decision_id})`)
  }

  /** Uses a decision. Returns false if it was used before, as by a run that has crashed since. */
  async #isUsed({ decision_id }: Decision, call: ToolCallUpdate, signal: AbortSignal): Promise<boolean> {
    const { client, space_id } = this.context
    // The key ends with this process: another one must not take the answer for its own.
    const use = { space_id, decision_id, digest: actionDigest(actionOf(call)), idempotency_key: randomUUID() }
    try {
      await untilAnswered(() => client.decision.use.mutate(use, { signal }), signal)
      return true
    } catch (error) {
      if (error instanceof SpacesError && error.fields.error === 'decision_used') return false
      throw error
    }
  }

  async #decision(call: ToolCallUpdate, choices: Choices, signal: AbortSignal): Promise<Decision> {
    const { client, me, space_id } = this.context
    const text = textOf(this.context, call)
    const assignees = await untilAnswered(() => assigneesOf(this.context, signal), signal)
    const fields = { text, assignees, options: [...choices.shown], action: { ...actionOf(call), title: titleIn(call) } }
    const proposal = { ...fields, space_id, proposed_by: me.actor_id, idempotency_key: this.#keyOf(fields) }
    const { decision_id } = await untilAnswered(() => client.decision.propose.mutate(proposal, { signal }), signal)
    const read = () => client.decision.get.query({ space_id, decision_id, wait: WAIT.max }, { signal })
    this.context.note(`${space_id}: asks for permission: ${titleOf(call)} (decision ${decision_id})`)
    for (;;) {
      const decision = await untilAnswered(read, signal)
      if (!isOpen(decision)) return decision
    }
  }

  #keyOf(proposal: object): string {
    const digest = createHash('sha256')
      .update(JSON.stringify([this.context.key, proposal]))
      .digest('hex')
    const before = this.#asked.get(digest) ?? 0
    this.#asked.set(digest, before + 1)
    return `permission ${digest.slice(0, 40)} ${before}`
  }
}

/** The agent that asks does not give the permission, even if the policy lets proposers settle. */
const mayAllow = ({ me, permit }: PermissionContext, actorId: string | null): boolean =>
  actorId !== null &&
  actorId !== me.actor_id &&
  (permit.byPolicy || actorId === me.sponsor_id || permit.actorIds.includes(actorId))

/**
 * Actors who can allow the call and may settle the decision, as far as they are known: the sponsor of the agent, those
 * that the command names and, if the policy decides, the humans who asked for the work, or those that it names.
 */
async function assigneesOf(context: PermissionContext, signal: AbortSignal): Promise<string[]> {
  const { client, me, space_id, batch, permit } = context
  const { settle } = await client.policy.get.query({ space_id }, { signal })
  const asking = batch.filter(({ from_human }) => from_human).map(({ event }) => event.posted_by)
  const known = [me.sponsor_id, ...permit.actorIds, ...asking]
  const wanted = settle.who !== 'named' ? known : permit.byPolicy ? settle.named : within(known, settle.named)
  const others = wanted.filter((actorId): actorId is string => mayAllow(context, actorId))
  return [...new Set(others)].slice(0, LIMITS.assignees)
}

const within = (known: readonly (string | null)[], named: readonly string[]) =>
  known.filter((actorId) => actorId !== null && named.includes(actorId))

/** Calls until there is an answer, or the signal fires. */
async function untilAnswered<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = new Backoff(signal)
  for (;;) {
    signal.throwIfAborted()
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof SpacesError && error.mayPass)) throw error
      await backoff.pause()
    }
  }
}

const titleOf = ({ title, kind }: ToolCallUpdate) => cutText(cleanLine(title ?? kind ?? 'a tool call'), 500)

/** The title of its action; undefined for one that is empty. */
const titleIn = (call: ToolCallUpdate) => cutText(titleOf(call), LIMITS.actionTitle).trim() || undefined

function textOf({ me, permit }: PermissionContext, call: ToolCallUpdate): string {
  const { kind, rawInput, content, locations } = call
  const parts = [
    `${me.display_name} asks for permission: ${titleOf(call)}${kind ? ` (${kind})` : ''}`,
    ...(rawInput === undefined ? [] : [block(JSON.stringify(rawInput, null, 2))]),
    ...(content ?? []).map((piece) => {
      if (piece.type === 'diff') return `${cleanLine(piece.path)}:\n${block(piece.newText)}`
      return piece.type === 'content' && piece.content.type === 'text' ? block(piece.content.text) : ''
    }),
    ...(locations ?? []).map(({ path }) => cleanLine(path)),
    'Resolved with one of its options, it is answered so, once. Rejected, it is refused.',
    permit.byPolicy ? '' : `It can be allowed by ${whoIn(me, permit)}: if another actor resolves it, it is refused.`,
  ]
  const text = sendable(parts.filter((part) => part !== '').join('\n\n'))
  return shortened(text, LIMITS.text / 2)
}

const whoIn = ({ sponsor_id }: Actor, { actorIds, names }: Permit) =>
  [sponsor_id ?? [], actorIds]
    .flat()
    .map((actorId) => cleanLine(names.get(actorId) ?? actorId))
    .join(' or ') || 'no one'

/** Text as it is, behind a fence that it cannot close. */
function block(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${shortened(text, SHOWN)}\n${fence}`
}

function shortened(text: string, most: number): string {
  const beginning = cutText(text, most)
  const rest = text.length - beginning.length
  return rest === 0 ? text : `${beginning}\n… (cut: ${rest} characters more)`
}

const isDenial = ({ kind }: PermissionOption) => kind.startsWith('reject')

const selected = (option: PermissionOption | undefined): RequestPermissionResponse =>
  option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : CANCELLED

const refused = (options: readonly PermissionOption[]): RequestPermissionResponse =>
  selected(first(options, 'reject_once', 'reject_always'))

const first = (options: readonly PermissionOption[], ...kinds: readonly PermissionOption['kind'][]) =>
  kinds.map((wanted) => options.find(({ kind }) => kind === wanted)).find((option) => option !== undefined)
