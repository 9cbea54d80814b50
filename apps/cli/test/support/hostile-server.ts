import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A word that marks foreign text among control characters. */
export const MARK = 'Mallory'

/** Starts a style, sets the clipboard, moves the cursor, reorders, hides, and ends the line. */
export const PAYLOAD =
  `\u001b[5m${MARK}\u001b]52;c;cHduZWQ=\u0007\u009b2J\u0000\u007f\u0008\u0085\r` +
  '\u202e\u2066\u200e\u061c\u200b\u00ad\ufeff\u2060\u3164\u034f\u{e0041}\ufffa\u2028\nquit'

/**
 * How the server answers. `plausible`: texts are payloads, IDs and times have their forms. `hostile`: every string is a
 * payload. `refusing`: every answer is an error with payloads in it.
 */
export type Temper = 'plausible' | 'hostile' | 'refusing'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OperationObject {
  readonly operationId?: string
  readonly responses?: { readonly 200?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> } }
}

const ID = 'a'.repeat(24)
const UUID = '019b8d3f-103c-7283-846d-74ed890a37aa'
export const IDS = {
  human: `usr_${ID}`,
  agent: `agt_${ID}`,
  token: `pat_${ID}`,
  invite: `inv_${ID}`,
  invitation: `cod_${ID}`,
  file: `fil_${ID}`,
  link: `lnk_${ID}`,
  webhook: `whk_${ID}`,
  uuid: UUID,
  key: `svc_${'0'.repeat(64)}`,
  code: `agt_code_${'0'.repeat(64)}`,
}

/** Strings with a form that the document does not state. */
const FORMS: Readonly<Record<string, string>> = {
  actor_id: IDS.agent,
  agent_id: IDS.agent,
  participant_id: IDS.human,
  posted_by: IDS.human,
  sponsor_id: IDS.human,
  owner_id: IDS.human,
  space_id: 'plans',
  default_space_id: 'plans',
  credential_id: IDS.token,
  pat_id: IDS.token,
  invite_id: IDS.invite,
  code_id: IDS.invitation,
  file_id: IDS.file,
  link_id: IDS.link,
  webhook_id: IDS.webhook,
  incoming_webhook_id: IDS.agent,
  thread_id: UUID,
  event_id: UUID,
  decision_id: UUID,
  parent_event_id: UUID,
  api_key: IDS.key,
  token: IDS.key,
  code: IDS.code,
}

const MOMENT = '2026-01-01T12:00:00.000Z'

/** Generates answers from the schemas of the document. The variant chooses among alternatives. */
class Answers {
  constructor(
    private readonly document: Document,
    private readonly temper: Temper,
    private readonly variant: number,
  ) {}

  of(schema: Schema, name = '', variant = this.variant): unknown {
    if (schema.$ref) return this.of(this.#referred(schema.$ref), name, variant)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[variant % schema.enum.length]
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.#choice(choices, name, variant)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => this.of(part, name, variant)))
    const types = [schema.type ?? []].flat()
    // A third of the nullable values is null.
    if (types.includes('null') && (name.length + variant) % 3 === 0) return null
    const type = types.find((one) => one !== 'null')
    switch (type) {
      case 'object':
        return this.#object(schema, variant)
      case 'array':
        return (schema.prefixItems ?? Array(3).fill(schema.items ?? {})).map((item: Schema, index) =>
          this.of(item, name, variant + index),
        )
      case 'integer':
      case 'number':
        return Math.max(0, schema.minimum ?? 0)
      case 'boolean':
        return variant % 2 === 0
      case 'null':
        return null
      case 'string':
        return this.#string(schema, name)
      default:
        return { [PAYLOAD]: [PAYLOAD], mentions: [IDS.human] }
    }
  }

  #referred(reference: string): Schema {
    return this.document.components.schemas[reference.split('/').at(-1) as string] as Schema
  }

  #choice(choices: readonly Schema[], name: string, variant: number): unknown {
    const values = choices.filter(({ type }) => type !== 'null')
    if (values.length < choices.length && (name.length + variant) % 3 === 0) return null
    return this.of(values[variant % values.length] as Schema, name, variant)
  }

  #object({ properties = {}, additionalProperties }: Schema, variant: number): object {
    const known = Object.entries(properties).map(([name, schema]) => [name, this.of(schema, name, variant)] as const)
    const isOpen = typeof additionalProperties === 'object'
    const others = isOpen ? [[PAYLOAD, this.of(additionalProperties, '', variant)] as const] : []
    return Object.fromEntries([...known, ...others])
  }

  #string({ format }: Schema, name: string): string {
    if (this.temper === 'hostile') return PAYLOAD
    if (format === 'date-time') return MOMENT
    if (format === 'uuid') return UUID
    return FORMS[name] ?? PAYLOAD
  }
}

/** Commands that repeat a request until it returns nothing get an error after this number of answers. */
const MAX_ANSWERS = 3

const SPENT = { status: 401, detail: PAYLOAD, fields: {} }

/** Errors with fields that are shown, or lead to hints. */
const REFUSALS = [
  { status: 409, detail: PAYLOAD, fields: { error: 'agent_connected', agent_id: PAYLOAD, message: PAYLOAD } },
  { status: 403, detail: PAYLOAD, fields: { error: 'insufficient_scope', scope: PAYLOAD } },
  { status: 421, detail: PAYLOAD, fields: { error: 'moved', location: PAYLOAD } },
  { status: 409, detail: `${PAYLOAD}, which mayMoveTo does not allow`, fields: { error: 'moved', location: PAYLOAD } },
] as const

/** The lines of an exported log: JSON leaves DEL, C1 and format characters in strings unescaped. */
export const EXPORTED = `${JSON.stringify({ text: PAYLOAD })}\n`.repeat(2)

/** Starts a server on loopback that answers every operation of the document. Paths begin with temper and variant. */
export async function hostileServer(document: Document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      name: described.operationId?.replace('_', '.'),
      schema: described.responses?.[200]?.content?.['application/json']?.schema,
    })),
  )
  let runs = 0
  const answered = new Map<string, number>()
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const [, temper, variant, run, rest] = /^\/(\w+)\/(\d)\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? []
    const { pathname, searchParams } = new URL(rest ?? '/', origin)
    const count = (answered.get(`${run} ${pathname}`) ?? 0) + 1
    answered.set(`${run} ${pathname}`, count)
    const refusals = temper === 'refusing' ? REFUSALS : count > MAX_ANSWERS ? [SPENT] : []
    const refusal = refusals[Number(variant) % refusals.length]
    const answers = new Answers(document, temper as Temper, Number(variant))
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

    if (pathname.startsWith('/trpc/')) {
      const outcomes = pathname
        .slice('/trpc/'.length)
        .split(',')
        .map((name) => {
          if (refusal) {
            const { status, detail, fields } = refusal
            return {
              error: {
                message: detail,
                code: -32_009,
                data: { code: 'CONFLICT', httpStatus: status, detail, ...fields },
              },
            }
          }
          const schema = operations.find((operation) => operation.name === name)?.schema
          return { result: { data: schema ? answers.of(schema) : null } }
        })
      return void json(refusal?.status ?? 200, searchParams.has('batch') ? outcomes : outcomes[0])
    }
    if (refusal) return void json(refusal.status, { detail: refusal.detail, ...refusal.fields })
    if (pathname === '/mcp') {
      const { id } = JSON.parse(body)
      return void json(200, { jsonrpc: '2.0', id, result: { said: PAYLOAD } })
    }
    if (pathname === '/api/text') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(PAYLOAD)
    const operation = operations.find(({ method, path }) => method === request.method && path.test(pathname))
    if (operation?.schema) return void json(200, answers.of(operation.schema))
    if (operation) return void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(EXPORTED)
    json(200, { ok: true })
  }

  return {
    /** Returns an address for one run of a command. */
    urlOf: (temper: Temper, variant: number) => `${origin}/${temper}/${variant}/${++runs}`,
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
}
