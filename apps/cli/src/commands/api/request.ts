import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Home, lossyIntegerIn, SpacesError } from '@collab-spaces/client'
import type { Account } from '../../account/account.js'
import type { Cli } from '../../cli.js'
import { usage } from '../../failure.js'
import type { HttpAnswer, HttpRequest } from '../../http.js'
import { pipedText } from '../../input/pipe.js'
import { textFrom } from '../../input/utf8.js'
import { parsed } from '../../json-file.js'

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']
/** Methods without a body, whose fields go into the query. */
const BODILESS: readonly string[] = ['GET', 'HEAD', 'DELETE']

export function methodOf(given: string): string {
  const wanted = given.toUpperCase()
  if (METHODS.includes(wanted)) return wanted
  throw usage(`Unknown method ${given}: use one of ${METHODS.join(', ')}`, 'See: spaces api --help')
}

/** A request as it was typed. */
export interface TypedRequest {
  readonly method: string
  readonly path: string
  /** `name=value` for texts, `name:=value` for JSON. */
  readonly fields: readonly string[]
  /** `name=value` for what the value looks like. */
  readonly typedFields: readonly string[]
  readonly input: string | undefined
  readonly headers: readonly string[]
}

/** A request with its address. */
export interface AddressedRequest extends HttpRequest {
  readonly url: URL
}

export async function requestTo({ url: server, token }: Account, typed: TypedRequest): Promise<AddressedRequest> {
  const url = addressOf(server, typed.path)
  const headers = headersOf(typed.headers)
  const fields = [...typed.fields.map(fieldOf), ...(await Promise.all(typed.typedFields.map(typedFieldOf)))]
  const hasNoBody = BODILESS.includes(typed.method)
  if (hasNoBody && typed.input !== undefined) throw usage(`${typed.method} has no body: --input cannot be used with it`)
  if (typed.input !== undefined && fields.length > 0) throw usage('--field and --input cannot be used together')
  if (hasNoBody) for (const [name, value] of fields) url.searchParams.append(name, inQuery(value))
  const body = hasNoBody ? undefined : await bodyOf(typed.input, fields)
  if (body !== undefined) headers['content-type'] ??= 'application/json'
  headers.authorization = `Bearer ${token}`
  return { url, method: typed.method, headers, body }
}

/** Where requests as an account go. */
export const homeOf = (cli: Cli, account: Account) =>
  new Home<HttpRequest, HttpAnswer>({ ...cli.movesFrom(account), fetch: cli.contactFor().fetch })

/** An answer, whatever it is; an installation that the tenant has left has none. */
export const send = ({ url, ...request }: AddressedRequest, home: ReturnType<typeof homeOf>): Promise<HttpAnswer> =>
  home.reach(async () => {
    const answer = await home.fetch(url.href, request).catch((error) => {
      throw SpacesError.unreachable(error)
    })
    if (answer.status === 421) throw SpacesError.refused(answer, await answer.text())
    return answer
  })

/** The server's paths outside of /api. */
const AT_ROOT = /^(api|health|ready|openapi\.json|trpc|log\/keys)(?=[/?]|$)/

function addressOf(server: string, path: string): URL {
  if (/^[a-z][a-z\d+.-]*:/i.test(path)) {
    throw usage('PATH must be a path on your server, not a URL', 'For another server, use --url or --profile')
  }
  const onServer = path.replace(/^\/+/, '')
  return new URL(`${server}/${AT_ROOT.test(onServer) ? '' : 'api/'}${onServer}`)
}

/** By their names in lower case; what is given several times is one list. */
function headersOf(given: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const header of given) {
    const [, spelled = '', padded = ''] = /^([^:]+):([\s\S]*)$/.exec(header) ?? []
    const [name, value] = [spelled.toLowerCase(), padded.trim()]
    if (name === 'authorization')
      throw usage('The Authorization header is set automatically: for another account, use --profile')
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    } catch {
      throw usage(`--header ${header}: not a header`, 'Use name:value')
    }
  }
  return headers
}

type Field = readonly [name: string, value: unknown]

/** `name=value` is a text, `name:=value` is JSON. */
function fieldOf(given: string): Field {
  const [, name, assignment, value = ''] = /^([^=]+?)(:?=)([\s\S]*)$/.exec(given) ?? []
  if (name === undefined) throw usage(`--field ${given}: no value`, 'Use name=value for text, name:=value for JSON')
  if (assignment === '=') return [name, value]
  const json = parsed(exact(name, value))
  if (json !== undefined) return [name, json]
  throw usage(`--field ${name}: the value after := must be JSON`, `For text, use ${name}=…`)
}

/** The name and the value of `name=value`. */
function typedFieldOf(given: string): Promise<Field> | Field {
  const [, name, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(given) ?? []
  if (name === undefined) throw usage(`--typed-field ${given}: no value`, 'Use name=value')
  if (value.startsWith('@')) return textOfFile(value.slice(1), '--typed-field').then((text) => [name, text])
  if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(value)) return [name, value]
  return [name, JSON.parse(exact(name, value))]
}

/** JSON whose integers keep their digits. */
function exact(name: string, json: string): string {
  const lossy = lossyIntegerIn(json)
  if (lossy === null) return json
  throw usage(`${name}: ${lossy} loses digits`, `For text, use --field ${name}=…`)
}

const textOfFile = (path: string, flag: string) => (path === '-' ? pipedText() : textFrom(path, flag))

const inQuery = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function bodyOf(input: string | undefined, fields: readonly Field[]): Promise<HttpRequest['body']> {
  if (input !== undefined) return textOfFile(input, '--input')
  return fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : undefined
}
