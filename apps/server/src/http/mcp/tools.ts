import {
  type AppRouter,
  type Caller,
  type FieldSchema,
  jsonSchemaOf,
  type Operation,
  operations,
} from '@collab-spaces/api'
import { canAddress, isJsonObject, lossyIntegerIn, mentionsIn } from '@collab-spaces/domain'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { z } from 'zod'
import type { Exchange } from './exchange.js'
import { fileText, type ReadFile, readFile } from './read-file.js'
import {
  contextText,
  type Decision,
  decisionLines,
  eventLines,
  inboxText,
  matchLines,
  participantLines,
  receiptLines,
  type Space,
  spaceLines,
  withAttribution,
} from './text.js'

/** The tools of the MCP server: each is a procedure under another name, with the inputs that agents need. */

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>

/** The path of a procedure in the router, such as `space.list`. */
export type Path = { [Noun in keyof Outputs & string]: `${Noun}.${keyof Outputs[Noun] & string}` }[keyof Outputs &
  string]

/** The type of one procedure. */
type Of<Types, Name extends Path> = Name extends `${infer Noun extends keyof Types & string}.${infer Verb}`
  ? Types[Noun][Verb & keyof Types[Noun]]
  : never

/** The arguments of a call. */
type ToolArguments = Readonly<Record<string, unknown>>

interface Row<Value, Field extends string = string> {
  readonly name: string
  readonly description: string
  /** Fields of the procedure's input. */
  readonly fields: readonly Field[]
  /** Overrides of their JSON Schemas. */
  readonly changes?: Readonly<Partial<Record<Field, FieldSchema>>>
  /** Fields of the tool alone. */
  readonly own?: Readonly<Record<string, FieldSchema>>
  /** Makes another value of the procedure's result. */
  readonly read?: (result: never, sent: ToolArguments) => Promise<unknown>
  /** Fixed fields. */
  readonly given?: (caller: Caller, sent: ToolArguments) => Readonly<Record<string, unknown>>
  /** The output field that holds the procedure's result. */
  readonly output: string
  /** The description of the result for a model. */
  readonly returns: string
  /** Adds to the output. */
  readonly shown?: (value: Value) => unknown
  /** Renders the output as text for a model. */
  readonly text: (value: Value) => string
  /** Returns the image of the output, which stands beside its text. */
  readonly image?: (value: Value) => ToolImage | undefined
  /** Whether it is irreversible. */
  readonly destructive?: true
  readonly after?: After<Value>
  /** For a paged list: returns the cursor of the next page; null after the last one. */
  readonly nextCursor?: (value: Value, sent: ToolArguments) => string | null
}

/** A further read, shown with the result; omitted where the caller may not read it. */
interface After<Value> {
  readonly procedure: Path
  readonly output: string
  readonly returns: string
  /** Returns its input; null for no read. */
  readonly input: (value: Value) => object | null
  readonly text: (value: never) => string
}

/** The maximum wait in seconds. Clients time out after a minute. */
const MAX_WAIT = 45

function waitOf({ wait: sent }: ToolArguments) {
  const wait = sent ?? MAX_WAIT
  return { wait: typeof wait === 'number' ? Math.min(wait, MAX_WAIT) : wait }
}

/** The default page size: a model's context cannot hold whole lists. */
const ITEMS_PER_PAGE = 50

const limitOf = ({ limit }: ToolArguments) => limit ?? ITEMS_PER_PAGE

/** Options of a list that is unpaged over REST. */
const inPages = <Item>(idOf: (item: Item) => string) => ({
  changes: {
    limit: { default: ITEMS_PER_PAGE, description: 'At most so many' },
    cursor: { description: 'The `next_cursor` before' },
  },
  given: (_: Caller, sent: ToolArguments) => ({ limit: limitOf(sent) }),
  nextCursor(items: readonly Item[], sent: ToolArguments) {
    const last = items.at(-1)
    return last !== undefined && items.length >= Number(limitOf(sent)) ? idOf(last) : null
  },
})

const withChanges = <Paged extends { readonly changes: object }, Changes>(paged: Paged, changes: Changes) => ({
  ...paged,
  changes: { ...paged.changes, ...changes },
})

const NEXT_CURSOR = { type: ['string', 'null'], description: 'The next `cursor`, or null at the end' }

const space_id = { description: 'The ID of the space' }

const idempotency_key = {
  description: 'One a call; the same one to repeat a call without an answer',
}

const nullable = (type: string, description: string) => ({ type: [type, 'null'], description })

const FILES = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its name' },
      text: nullable('string', 'Its text'),
      base64: nullable('string', 'Or bytes'),
      content_type: nullable('string', 'Its type'),
    },
    required: ['name'],
    additionalProperties: false,
  },
  description: 'To attach',
}

const MENTIONS = {
  mentions: { type: 'array', items: { type: 'string' }, description: 'IDs of participants' },
}

const OPTION = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Letters and digits' },
    label: { type: 'string', description: 'What is chosen' },
    denies: { type: ['boolean', 'null'], description: 'Permits nothing' },
  },
  required: ['id', 'label'],
  additionalProperties: false,
}

const options = { items: OPTION, description: 'At least 2 answers' }

/** Strict modes of models know no free-form objects, so arguments are text. */
const action = {
  type: ['object', 'null'],
  properties: {
    type: { type: 'string', description: 'Such as deploy' },
    arguments: { type: 'string', description: 'A JSON object as text' },
  },
  required: ['type', 'arguments'],
  additionalProperties: false,
  description: 'What you will do if it is resolved',
}

/** Returns an action with its arguments parsed; one that cannot be parsed unchanged, which the procedure refuses. */
function parsedAction(sent: unknown): unknown {
  if (!isJsonObject(sent) || typeof sent.arguments !== 'string') return sent
  // Refused like a body with such a number.
  if (lossyIntegerIn(sent.arguments) !== null) return { ...sent, arguments: { number: Number.POSITIVE_INFINITY } }
  try {
    return { ...sent, arguments: JSON.parse(sent.arguments) }
  } catch {
    return sent
  }
}

const claim = { description: 'Of claim_work. Refused once it lapsed' }

/** In the order of the list of tools. */
const ROWS: readonly AnyRow[] = [
  row('actor.me', {
    name: 'whoami',
    description: 'Who you are here. Call it first.',
    fields: [],
    output: 'actor',
    returns: 'You: `actor_id`, `display_name`, `actor_type`, `sponsor_id` (of the human you act for)',
    text: ({ display_name, actor_type, actor_id }) => `You are ${display_name} (${actor_type} ${actor_id}).`,
  }),
  row('space.list', {
    name: 'list_spaces',
    description: 'List the spaces that you see, newest first.',
    fields: ['status', 'limit', 'cursor'],
    ...inPages(({ space_id }: Space) => space_id),
    output: 'spaces',
    returns:
      'Each with `space_id`, `title` (null: called by its ID), `status` (only `active` ones take events), `event_count`',
    text: spaceLines,
  }),
  row('participant.join', {
    name: 'join_space',
    description: 'Join a space: others see you among its participants.',
    fields: ['space_id'],
    given: () => ({ agent_adapter: 'mcp' }),
    output: 'participant',
    returns: 'You: `name`, `joined_at`',
    text: ({ name }) => `Joined as ${name}.`,
  }),
  row('participant.list', {
    name: 'list_participants',
    description: 'List who is in a space: names and IDs.',
    fields: ['space_id'],
    output: 'participants',
    returns: 'In the order of joining, each with `actor_id`, `name`, `participant_type`',
    text: participantLines,
  }),
  row('conversation.start', {
    name: 'start_conversation',
    description: 'The private space between you and others: the existing one, or a new one.',
    fields: ['actor_ids'],
    output: 'space',
    returns: 'Use its `space_id` to say something there',
    text: ({ space_id }) => `It is ${space_id}.`,
  }),
  row('event.list', {
    name: 'read_events',
    description: 'Read events, oldest first.',
    fields: ['space_id', 'since', 'before', 'tail', 'limit'],
    output: 'events',
    returns:
      'Each with `event_id`, `text`, `files`, `timestamp`, `posted_by` (who sent it), `posted_by_name`, `thread_id`',
    shown: (events) => events.map(withAttribution),
    text: eventLines,
  }),
  row('context.get', {
    name: 'get_context',
    description: 'What matters of a space, within a budget of tokens. Call it before you answer.',
    fields: ['space_id', 'budget', 'focus', 'q'],
    output: 'context',
    returns: '`text`, and `cursor`, for the `since` of read_events',
    text: contextText,
  }),
  row('search.events', {
    name: 'search',
    description: 'Search events, newest first, in one space or all you joined. `q` may have `from:ada`.',
    fields: ['q', 'space_id', 'limit'],
    output: 'matches',
    returns: 'Events as of read_events, with `space_id`, `snippet`, and the `matched_file`, if any',
    shown: (matches) => matches.map(withAttribution),
    text: matchLines,
  }),
  fileRow({
    name: 'read_file',
    description: 'Read a file of an event.',
    fields: ['space_id', 'file_id'],
    own: {
      offset: nullable('integer', 'First byte'),
      limit: nullable('integer', 'Bytes'),
    },
    read: readFile,
    output: 'file',
    returns: '`text` and `next_offset`, or how to `download` it',
    shown: ({ image: _, ...file }) => file,
    text: fileText,
    image: ({ image }) => image,
  }),
  row('event.response', {
    name: 'say',
    description: 'Say something in a space as yourself. Returns its receipts.',
    fields: [
      ...(['space_id', 'text', 'parent_event_id', 'thread_id', 'corrects', 'retracts', 'metadata'] as const),
      ...(['decision_id', 'idempotency_key', 'claim'] as const),
    ],
    changes: {
      space_id,
      text: { description: 'Markdown. @Name calls a participant' },
      corrects: { description: 'Your event to correct' },
      retracts: { description: 'Your event to retract' },
      decision_id: { description: 'To speak in its thread' },
      metadata: {
        ...{ type: 'object', properties: MENTIONS, required: ['mentions'], additionalProperties: false },
        description: 'Mentions by ID, beside those in the text',
      },
      idempotency_key,
      claim,
    },
    own: { files: FILES },
    given: () => ({ mentions_from_text: true }),
    output: 'event',
    returns: 'The event as it is stored, with its `event_id`',
    text: ({ event_id }) => `Said, as event ${event_id}.`,
    after: {
      procedure: 'receipt.list',
      output: 'receipts',
      returns: 'As of wait_for_answer',
      input: (event) =>
        canAddress({ ...event, mentions: mentionsIn(event.metadata) })
          ? { space_id: event.space_id, event_id: event.event_id }
          : null,
      text: receiptLines,
    },
  }),
  row('inbox.get', {
    name: 'wait_for_attention',
    description:
      'Events that mention you, reply to you, or are in your conversations, until marked as done. Waits for the first one.',
    fields: ['wait', 'space_id', 'limit'],
    changes: { wait: { maximum: MAX_WAIT, default: MAX_WAIT } },
    given: (_, sent) => waitOf(sent),
    output: 'inbox',
    returns:
      '`items` (`event`, `space_id`, `kinds`), `decisions` assigned to you, `notices`, `more`, and `done`, for mark_done',
    shown: (inbox) => ({
      ...inbox,
      items: inbox.items.map((item) => ({ ...item, event: withAttribution(item.event) })),
    }),
    text: inboxText,
  }),
  row('inbox.done', {
    name: 'mark_done',
    description: 'Mark what waited for you as done: send back the `done` of the inbox, once you have answered.',
    fields: ['through', 'notices', 'outcome', 'reason', 'claim'],
    changes: { claim },
    output: 'done',
    returns: '`ok` is true',
    text: () => 'Done.',
  }),
  row('receipt.list', {
    name: 'wait_for_answer',
    description: 'What became of an event with each actor it addresses. Waits until no recipient may still answer.',
    fields: ['wait', 'space_id', 'event_id'],
    changes: { wait: { maximum: MAX_WAIT, default: MAX_WAIT } },
    given: (_, sent) => waitOf(sent),
    output: 'receipts',
    returns: 'For each actor addressed: `actor_id`, `name`, `state`, and `by_event_id`, its answer',
    text: receiptLines,
  }),
  row('claim.take', {
    name: 'claim_work',
    description:
      'Claim an event, a decision or a key, so no other agent works on it. Send the claim with what you write.',
    fields: ['space_id', 'event_id', 'decision_id', 'key', 'ttl_s'],
    output: 'claim',
    returns: 'Its `claim_id` and `fence` are the `claim` of other tools; it lapses at `expires_at`',
    text: ({ claim_id, fence, expires_at }) => `Yours until ${expires_at}: claim ${claim_id}, fence ${fence}.`,
  }),
  row('claim.release', {
    name: 'release_work',
    description: 'Give a claim back, so others can do the work.',
    fields: ['space_id', 'claim_id'],
    output: 'done',
    returns: '`ok` is true',
    text: () => 'Released.',
  }),
  row('decision.listAll', {
    name: 'list_decisions',
    description: 'List decisions of a space, or of all you joined, newest first.',
    fields: ['space_id', 'status', 'filter', 'limit', 'cursor'],
    ...withChanges(
      inPages(({ decision_id }: Decision) => decision_id),
      { filter: { description: 'Open, open and yours, or in force' } },
    ),
    output: 'decisions',
    returns:
      'Each with `decision_id`, `space_id`, `text`, `status`, `resolution`, `posted_by` (its proposer), `approvals`, `thread_id`',
    text: decisionLines,
  }),
  row('decision.propose', {
    name: 'propose_decision',
    description: 'Propose a decision, for others to settle. They see it in the space.',
    fields: [
      ...(['space_id', 'text', 'assignees', 'supersedes', 'options', 'action', 'expires_at'] as const),
      ...(['idempotency_key', 'claim'] as const),
    ],
    changes: { options, action, expires_at: { description: 'Its end' }, idempotency_key, claim },
    given: ({ actorId }, { action }) => ({
      proposed_by: actorId,
      ...(action != null && { action: parsedAction(action) }),
    }),
    output: 'decision',
    returns: 'Its `decision_id`, `status`, `approvals` (`given` of those `required`), `action.digest`',
    text: ({ decision_id }) => `Proposed, as decision ${decision_id}.`,
  }),
  row('decision.review', {
    name: 'review_decision',
    description: 'Approve or reject a proposed decision, until it is settled. Your last review counts.',
    fields: ['space_id', 'decision_id', 'verdict', 'note', 'claim'],
    changes: { claim },
    output: 'decision',
    returns: 'The decision, as of propose_decision',
    text: ({ decision_id, approvals: { given, required } }) =>
      `Reviewed. Decision ${decision_id} has ${given} of ${required} approvals that it needs.`,
  }),
  row('decision.resolve', {
    name: 'settle_decision',
    description: 'Resolve or reject a proposed decision, once.',
    fields: ['space_id', 'decision_id', 'status', 'resolution', 'option', 'claim'],
    changes: {
      resolution: { description: 'The outcome, and why' },
      option: { description: 'The ID of the chosen one, if any' },
      claim,
    },
    given: ({ actorId }) => ({ resolved_by: actorId }),
    output: 'decision',
    returns: 'The decision, as of propose_decision',
    text: ({ decision_id, status }) => `Decision ${decision_id} is ${status}.`,
    destructive: true,
  }),
  row('decision.use', {
    name: 'use_decision',
    description:
      'Use the action of a resolved decision, once, before you do it: with exactly the arguments of `edit`, or else of `action`.',
    fields: ['space_id', 'decision_id', 'digest', 'idempotency_key'],
    changes: { digest: { description: '`edit.digest`, or else `action.digest`' }, idempotency_key },
    output: 'use',
    returns: '`decision`, `used_at`',
    text: ({ decision: { decision_id } }) => `Decision ${decision_id} is used: do its action now, once.`,
    destructive: true,
  }),
]

/** A row without the types of its procedure. */
interface AnyRow extends Row<never> {
  readonly procedure: Path
}

function row<Name extends Path, Field extends keyof Exclude<Of<Inputs, Name>, void> & string>(
  procedure: Name,
  of: Row<Of<Outputs, Name>, Field>,
): AnyRow {
  return { ...of, procedure } as AnyRow
}

/** A row that reads the bytes of a file. */
function fileRow(of: Row<ReadFile, 'space_id' | 'file_id'>): AnyRow {
  return { ...of, procedure: 'file.content' } as AnyRow
}

export const tools = ROWS.map(toolOf)

/** Returns a tool from its row. */
function toolOf(row: AnyRow) {
  const {
    name,
    procedure,
    description,
    fields,
    changes,
    own,
    read,
    given,
    output,
    returns,
    destructive = false,
    after,
  } = row
  const operation = operationOf(procedure)
  const afterwards = after && operationOf(after.procedure)
  // A client sets its headers once, so they hold nothing that differs between calls.
  const headerFields = Object.entries(operation.meta.headers ?? {}).filter(([header]) => header !== 'Idempotency-Key')
  const readOnlyHint = operation.meta.openapi.method === 'GET'
  const { properties, ...inputSchema } = jsonSchemaOf(operation.input, fields, changes)
  const listed: ListedTool = {
    name,
    description,
    inputSchema: { ...inputSchema, properties: { ...properties, ...own } } as ListedTool['inputSchema'],
    outputSchema: {
      type: 'object',
      properties: {
        [output]: { type: typeOf(operation), description: returns },
        ...(after && afterwards && { [after.output]: { type: typeOf(afterwards), description: after.returns } }),
        ...(row.nextCursor && { next_cursor: NEXT_CURSOR }),
      },
    },
    // Without hints that are the default of the protocol, or say nothing of a read.
    annotations: {
      ...(readOnlyHint ? { readOnlyHint } : { destructiveHint: destructive }),
      ...(!readOnlyHint && operation.meta.idempotent && { idempotentHint: true }),
      openWorldHint: false,
    },
  }
  return {
    operation,
    listed,
    /** Returns the files that a call attaches; undefined for a tool that takes none. */
    filesOf: (sent: ToolArguments) => (own === undefined || !('files' in own) ? undefined : sent.files),
    /** Returns the value of a result; undefined if it is its own. */
    reading: (sent: ToolArguments) => read && ((result: unknown) => read(result as never, sent)),
    /** Returns the input of the procedure: the sent fields of the tool, and the request's headers. */
    inputFor: ({ caller, request: { headers } }: Exchange, sent: ToolArguments) => ({
      ...Object.fromEntries(headerFields.map(([header, field]) => [field, headers[header.toLowerCase()]])),
      ...Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(sent, field) ? [[field, sent[field]]] : []))),
      ...given?.(caller, sent),
    }),
    /** Returns the further read after a result; null for none. */
    after(value: unknown) {
      const input = after?.input(value as never) ?? null
      return input && afterwards ? { operation: afterwards, input } : null
    },
    /** Returns the answer to a call. `more` is the result of the further read, if any. */
    answer: (sent: ToolArguments, value: unknown, more?: unknown) => answerOf(row, sent, value as never, more as never),
  }
}

export function operationOf(procedure: Path): Operation {
  const operation = operations.find(({ name }) => name === procedure)
  if (!operation) throw new Error(`There is no procedure ${procedure}`)
  return operation
}

interface ToolImage {
  /** In base64. */
  readonly data: string
  readonly mimeType: string
}

/** The answer of a tool before its untrusted strings are delimited. */
export interface ToolAnswer {
  readonly text: string
  readonly image?: ToolImage | undefined
  readonly content: Readonly<Record<string, unknown>>
}

function answerOf(row: AnyRow, sent: ToolArguments, value: never, more: never | undefined): ToolAnswer {
  const { output, shown, text, image, after, nextCursor } = row
  const seen = shown ? shown(value) : value
  const answer = { text: text(seen as never), image: image?.(value), content: { [output]: seen } }
  if (nextCursor) return withCursor(answer, nextCursor(value, sent))
  if (!after || more === undefined) return answer
  return {
    text: `${answer.text}\n${after.text(more)}`,
    content: { ...answer.content, [after.output]: more },
  }
}

function withCursor({ text, content }: ToolAnswer, next_cursor: string | null): ToolAnswer {
  const more = next_cursor === null ? '' : `\nThere may be more: call again with the cursor ${next_cursor}`
  return { text: text + more, content: { ...content, next_cursor } }
}

function typeOf({ output }: Operation) {
  return output instanceof z.ZodArray ? 'array' : 'object'
}
