import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * A scripted language model on loopback, over the APIs of OpenAI (chat completions and responses), Anthropic, Gemini.
 * `USE name {…}` in a prompt makes it call the tool whose name ends with this, one such line after another; `$event`
 * stands for the first event that a tool has returned. At last it answers with a fixed text.
 */
export interface ScriptedModel {
  readonly url: string
  /** The paths of all requests. */
  readonly asked: string[]
  close(): void
}

/** The final text of the model. */
export const MODEL_SAYS = 'To the sea.'

/** A message to the model: a text, or the result of a tool. */
type ModelMessage = string | { readonly returned: string }

interface Tool {
  readonly name: string
  /** Further fields of a call of the tool. */
  readonly more?: Readonly<Record<string, string>>
}

interface Call extends Tool {
  readonly args: Readonly<Record<string, unknown>>
}

/** Hosts treat messages or calls with the same ID as duplicates. */
let ids = 0
const newId = (kind: string) => `${kind}_${++ids}`

export async function scriptedModel(): Promise<ScriptedModel> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '')
    try {
      await answer(request, response)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the requests of four APIs
type Body = any

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://model').pathname
  const body: Body = request.method === 'POST' ? await json(request) : {}
  if (path.endsWith('/chat/completions')) return chat(body, response)
  if (path.endsWith('/responses')) return responses(body, response)
  if (path.endsWith('/messages')) return messages(body, response)
  if (path.includes(':streamGenerateContent') || path.includes(':generateContent')) {
    return gemini(body, path.includes(':stream'), response)
  }
  if (path.includes(':countTokens') || path.endsWith('/count_tokens')) {
    return sendJson(response, { totalTokens: 100, input_tokens: 100 })
  }
  if (path.endsWith('/models'))
    return sendJson(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] })
  response.writeHead(404).end('{}')
}

/** Returns the next call of the last prompt with any, after the calls that have returned since. */
function callFor(history: readonly ModelMessage[], tools: readonly Tool[]): Call | null {
  const last = history.findLastIndex((text) => typeof text === 'string' && stepsOf(text).length > 0)
  const returned = history.slice(last + 1).flatMap((text) => (typeof text === 'string' ? [] : [text.returned]))
  const prompt = history[last]
  const [, wanted, args] = (typeof prompt === 'string' ? stepsOf(prompt) : [])[returned.length] ?? []
  if (!wanted || !args) return null
  const tool = tools.find(({ name }) => name === wanted) ?? tools.find(({ name }) => name.endsWith(wanted))
  return tool ? { ...tool, args: JSON.parse(args.replaceAll('$event', eventIn(returned) ?? '$event')) } : null
}

/** Our prompts contain older events before those to answer. */
const stepsOf = (prompt: string) =>
  Array.from(prompt.slice(Math.max(0, prompt.lastIndexOf('These events mention you'))).matchAll(/USE (\S+) (\{.*\})/g))

/** The event in a tool's text or structured result, which may be escaped in a JSON string. */
const eventIn = (returned: readonly string[]) =>
  /(?:<event id=|"event_id\\*":\s*)\\*"([0-9a-f-]{36})/.exec(returned.join('\n'))?.[1]

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function chat({ messages, tools = [], stream }: Body, response: ServerResponse): void {
  const history = messages
    .filter(({ role }: Body) => role === 'user' || role === 'tool')
    .map(({ role, content }: Body) => (role === 'tool' ? { returned: textOf(content) } : textOf(content)))
  const call = callFor(
    history,
    tools.map(({ function: { name } }: Body) => ({ name })),
  )
  const calls = call && [
    {
      index: 0,
      id: newId('call'),
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.args) },
    },
  ]
  const delta = calls ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: MODEL_SAYS }
  const finish_reason = calls ? 'tool_calls' : 'stop'
  const base = { id: newId('chat'), model: 'scripted', created: 1 }
  if (!stream) {
    const choices = [{ index: 0, message: delta, finish_reason }]
    sendJson(response, { ...base, object: 'chat.completion', choices, usage: USAGE })
    return
  }
  const chunk = (delta: object, finish_reason: string | null) => ({
    data: { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], usage: USAGE },
  })
  sendEvents(response, [chunk(delta, null), chunk({}, finish_reason), { data: '[DONE]' }])
}

function responses({ input, tools = [] }: Body, response: ServerResponse): void {
  const items: Body[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const isResult = ({ type }: Body) => String(type).endsWith('call_output')
  const history = items
    .filter((item) => item.role === 'user' || isResult(item))
    .map((item) => (isResult(item) ? { returned: textOf(item.output) } : textOf(item.content)))
  const call = callFor(history, tools.flatMap(responsesTools))
  const item = call
    ? {
        type: 'function_call',
        id: newId('fc'),
        call_id: newId('call'),
        name: call.name,
        arguments: JSON.stringify(call.args),
        ...call.more,
      }
    : {
        type: 'message',
        id: newId('msg'),
        role: 'assistant',
        content: [{ type: 'output_text', text: MODEL_SAYS, annotations: [] }],
      }
  const done = { id: newId('resp'), object: 'response', status: 'completed', output: [item], usage: RESPONSES_USAGE }
  const events = [
    { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    ...(call
      ? []
      : [
          {
            type: 'response.output_text.delta',
            item_id: item.id,
            output_index: 0,
            content_index: 0,
            delta: MODEL_SAYS,
          },
        ]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ]
  sendEvents(
    response,
    events.map((data) => ({ event: data.type, data })),
  )
}

/** Tools of an MCP server are in a namespace. */
const responsesTools = ({ type, name, tools }: Body): Tool[] =>
  type === 'namespace'
    ? tools.map((tool: Body) => ({ name: tool.name, more: { namespace: name } }))
    : [{ name: name ?? type }]

const RESPONSES_USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
}

function messages({ messages, tools = [], stream }: Body, response: ServerResponse): void {
  const parts: Body[] = messages.flatMap(({ role, content }: Body) =>
    role !== 'user' ? [] : typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
  const call = callFor(
    parts.map(({ type, text = '', content = '' }) => (type === 'tool_result' ? { returned: textOf(content) } : text)),
    tools.map(({ name }: Body) => ({ name })),
  )
  const block = call
    ? { type: 'tool_use', id: newId('toolu'), name: call.name, input: call.args }
    : { type: 'text', text: MODEL_SAYS }
  const stop_reason = call ? 'tool_use' : 'end_turn'
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
    usage,
  }
  if (!stream) {
    sendJson(response, { ...message, content: [block], stop_reason })
    return
  }
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
    : { type: 'text_delta', text: MODEL_SAYS }
  const content_block = call ? { ...block, input: {} } : { type: 'text', text: '' }
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  sendEvents(
    response,
    events.map((data) => ({ event: data.type, data })),
  )
}

function gemini({ contents = [], tools = [] }: Body, isStream: boolean, response: ServerResponse): void {
  const parts: Body[] = contents.filter(({ role }: Body) => role !== 'model').flatMap(({ parts }: Body) => parts)
  const call = callFor(
    parts.map(({ text, functionResponse }) =>
      functionResponse ? { returned: JSON.stringify(functionResponse.response) } : (text ?? ''),
    ),
    tools.flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations.map(({ name }: Body) => ({ name }))),
  )
  const part = call ? { functionCall: { name: call.name, args: call.args } } : { text: MODEL_SAYS }
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  }
  if (isStream) sendEvents(response, [{ data: answer }])
  else sendJson(response, answer)
}

const textOf = (content: Body): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }: Body) => text).join('\n')

const sendJson = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sendEvents(
  response: ServerResponse,
  events: readonly { readonly event?: string; readonly data: unknown }[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`)
  }
  response.end()
}
