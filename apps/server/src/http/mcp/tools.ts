import { type AppRouter, type Caller, type Operation, operations } from '@collab-spaces/api'
import type { JSONObject, Tool as ListedTool } from '@modelcontextprotocol/server'
import type { inferRouterOutputs } from '@trpc/server'
import { z } from 'zod'
import type { Exchange } from './exchange.js'
import { type Fence, newFence } from './fence.js'
import {
  contextText,
  decisionLines,
  eventLines,
  fencedContext,
  inboxText,
  matchLines,
  spaceLines,
  withClaims,
} from './text.js'

/** The tools of the MCP server: each is a procedure under another name, with the inputs that an agent needs of it. */

type Outputs = inferRouterOutputs<AppRouter>

/** What a client sent as the arguments of a call. */
type Sent = Readonly<Record<string, unknown>>

/** A property of an input, in JSON Schema. */
type Property = JSONObject

interface Row<Value> {
  readonly name: string
  /** The procedure's path in the router. */
  readonly procedure: string
  readonly description: string
  /** Fields of the procedure's input, by name. Those that end in `?` may be left out. */
  readonly input: Readonly<Record<string, Property>>
  /** Fields that the caller does not choose. */
  readonly given?: (caller: Caller, sent: Sent) => Readonly<Record<string, unknown>>
  /** The field of the output that holds what the procedure returns. */
  readonly output: string
  /** That as it is shown, where something has to be added or fenced in. */
  readonly shown?: (value: Value, fence: Fence) => unknown
  /** The same, for a model to read. */
  readonly text: (value: Value, fence: Fence) => string
  /** Whether repeating a call changes nothing more. Reading never changes anything. */
  readonly idempotent?: true
  /** Whether it ends something that nobody can bring back. */
  readonly destructive?: true
}

/** Clients give up on a call after a minute. In seconds. */
const LONGEST_WAIT = 45

const string: Property = { type: 'string' }
const integer = (minimum: number, maximum: number): Property => ({ type: 'integer', minimum, maximum })
const oneOf = (...words: readonly string[]): Property => ({ enum: [...words] })
const described = (property: Property, description: string): Property => ({ ...property, description })

const idempotency = {
  'idempotency_key?': described(string, 'Choose one a call. When a call had no answer, repeat it with the same one'),
}

/** In the order in which they are listed. */
const ROWS: readonly Row<never>[] = [
  row<Outputs['actor']['me']>({
    name: 'whoami',
    procedure: 'actor.me',
    description: 'Who you are here.',
    input: {},
    output: 'actor',
    text: ({ display_name, actor_type, actor_id }) => `You are ${display_name} (${actor_type} ${actor_id}).`,
  }),
  row<Outputs['space']['list']>({
    name: 'list_spaces',
    procedure: 'space.list',
    description: 'List spaces, newest first.',
    input: { 'status?': oneOf('active', 'paused', 'archived') },
    output: 'spaces',
    text: spaceLines,
  }),
  row<Outputs['participant']['join']>({
    name: 'join_space',
    procedure: 'participant.join',
    description: 'Join a space: others see you among its participants.',
    input: { space_id: string },
    given: () => ({ agent_adapter: 'mcp' }),
    output: 'participant',
    text: ({ name }) => `Joined as ${name}.`,
    idempotent: true,
  }),
  row<Outputs['event']['list']>({
    name: 'read_events',
    procedure: 'event.list',
    description: 'Read events, oldest first: from the beginning, after `since`, before `before`, or the last ones.',
    input: {
      space_id: string,
      'since?': described(string, 'Event id'),
      'before?': described(string, 'Event id'),
      'tail?': { type: 'boolean' },
      'limit?': integer(1, 200),
    },
    output: 'events',
    shown: (events) => events.map(withClaims),
    text: eventLines,
  }),
  row<Outputs['context']['get']>({
    name: 'get_context',
    procedure: 'context.get',
    description: 'What matters of a space, within a budget of tokens. Call it before you answer.',
    input: {
      space_id: string,
      'budget?': integer(500, 200_000),
      'focus?': described(string, 'Id of the event that you answer'),
      'q?': described(string, 'Adds events that match'),
    },
    output: 'context',
    shown: fencedContext,
    text: contextText,
  }),
  row<Outputs['search']['events']>({
    name: 'search',
    procedure: 'search.events',
    description: 'Search events, newest first, in one space or in all that you have joined.',
    input: {
      q: described(string, 'Words, "a phrase", -not, or'),
      'space_id?': string,
      'limit?': integer(1, 100),
    },
    output: 'matches',
    shown: (matches) => matches.map(withClaims),
    text: matchLines,
  }),
  row<Outputs['event']['response']>({
    name: 'say',
    procedure: 'event.response',
    description: 'Say something in a space as yourself.',
    input: {
      space_id: string,
      text: string,
      'parent_event_id?': described(string, 'The event that you answer'),
      'thread_id?': string,
      'metadata?': described({ type: 'object' }, '`mentions`: array of participant ids'),
      ...idempotency,
    },
    output: 'event',
    text: ({ event_id }) => `Said, as event ${event_id}.`,
  }),
  row<Outputs['inbox']['get']>({
    name: 'wait_for_attention',
    procedure: 'inbox.get',
    description:
      'Events that mention you or reply to you, in any space, until they are marked as done. Waits for the first one.',
    input: {
      'wait?': described(integer(0, LONGEST_WAIT), 'Seconds'),
      'space_id?': string,
      'limit?': integer(1, 100),
    },
    given: (_, { wait = LONGEST_WAIT }) => ({ wait: typeof wait === 'number' ? Math.min(wait, LONGEST_WAIT) : wait }),
    output: 'inbox',
    shown: (inbox) => ({
      ...inbox,
      items: inbox.items.map((item) => ({ ...item, event: withClaims(item.event) })),
    }),
    text: inboxText,
  }),
  row<Outputs['inbox']['done']>({
    name: 'mark_done',
    procedure: 'inbox.done',
    description: 'Mark what waited for you as done: send back the `done` of the inbox, once you have answered.',
    input: {
      'through?': { type: 'array', items: { type: 'object', properties: { space_id: string, event_id: string } } },
      'notices?': { type: 'array', items: string },
    },
    output: 'done',
    text: () => 'Done.',
    idempotent: true,
  }),
  row<Outputs['decision']['list']>({
    name: 'list_decisions',
    procedure: 'decision.list',
    description: 'List decisions, oldest first.',
    input: { space_id: string, 'status?': oneOf('proposed', 'resolved', 'rejected') },
    output: 'decisions',
    text: decisionLines,
  }),
  row<Outputs['decision']['propose']>({
    name: 'propose_decision',
    procedure: 'decision.propose',
    description: 'Propose a decision, for others to settle.',
    input: {
      space_id: string,
      text: string,
      'assignees?': described({ type: 'array', items: string }, 'Ids of actors who are asked to settle it'),
      'supersedes?': described(string, 'The decision that it replaces'),
      ...idempotency,
    },
    given: ({ actorId }) => ({ proposed_by: actorId }),
    output: 'decision',
    text: ({ decision_id }) => `Proposed, as decision ${decision_id}.`,
  }),
  row<Outputs['decision']['review']>({
    name: 'review_decision',
    procedure: 'decision.review',
    description: 'Approve or reject a proposed decision, until it is settled. Your last review counts.',
    input: { space_id: string, decision_id: string, verdict: oneOf('approve', 'reject'), 'note?': string },
    output: 'decision',
    text: ({ decision_id, approvals: { given, required } }) =>
      `Reviewed. Decision ${decision_id} has ${given} of ${required} approvals that it needs.`,
    idempotent: true,
  }),
  row<Outputs['decision']['resolve']>({
    name: 'settle_decision',
    procedure: 'decision.resolve',
    description: 'Resolve or reject a proposed decision, once.',
    input: {
      space_id: string,
      decision_id: string,
      status: oneOf('resolved', 'rejected'),
      resolution: described(string, 'The outcome, and why'),
    },
    given: ({ actorId }) => ({ resolved_by: actorId }),
    output: 'decision',
    text: ({ decision_id, status }) => `Decision ${decision_id} is ${status}.`,
    destructive: true,
  }),
]

/** Only the row itself knows what its procedure returns. */
function row<Value>(of: Row<Value>): Row<never> {
  return of as Row<never>
}

/** A tool as it is called. */
export interface Tool extends Pick<Row<unknown>, 'output'> {
  readonly operation: Operation
  readonly listed: ListedTool
  /** The input of the procedure: what was sent of the tool's fields, and what the request's headers say. */
  inputFor(exchange: Exchange, sent: Sent): Record<string, unknown>
  /** What a call answers with. */
  answer(value: unknown): { readonly text: string; readonly value: unknown }
}

export const tools: readonly Tool[] = ROWS.map(toolOf)

function toolOf(row: Row<never>): Tool {
  const { name, procedure, description, input, given, output } = row
  const operation = operations.find((operation) => operation.name === procedure)
  if (!operation) throw new Error(`The tool ${name} has no procedure ${procedure}`)
  const fields = Object.entries(input).map(([key, property]) => ({
    field: key.replace('?', ''),
    isRequired: !key.endsWith('?'),
    property,
  }))
  // A client sets its headers once and for all, so what differs from call to call is not taken from them.
  const headerFields = Object.entries(operation.meta.headers ?? {}).filter(([header]) => header !== 'Idempotency-Key')
  const readOnlyHint = operation.meta.openapi.method === 'GET'
  return {
    operation,
    output,
    listed: {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ field, property }) => [field, property])),
        required: fields.filter(({ isRequired }) => isRequired).map(({ field }) => field),
      },
      outputSchema: { type: 'object', properties: { [output]: { type: isList(operation) ? 'array' : 'object' } } },
      annotations: {
        readOnlyHint,
        destructiveHint: row.destructive ?? false,
        idempotentHint: readOnlyHint || (row.idempotent ?? false),
        openWorldHint: false,
      },
    },
    inputFor: ({ caller, request: { headers } }, sent) => ({
      ...Object.fromEntries(headerFields.map(([header, field]) => [field, headers[header.toLowerCase()]])),
      ...Object.fromEntries(fields.flatMap(({ field }) => (Object.hasOwn(sent, field) ? [[field, sent[field]]] : []))),
      ...given?.(caller, sent),
    }),
    answer: (value) => answerOf(row, value as never),
  }
}

function answerOf({ shown, text }: Row<never>, value: never) {
  const fence = newFence()
  const seen = shown ? shown(value, fence) : value
  return { text: text(seen as never, fence), value: seen }
}

function isList({ output }: Operation): boolean {
  return output instanceof z.ZodArray
}
