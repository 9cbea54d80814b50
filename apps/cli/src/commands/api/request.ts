import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { SpacesError } from '@collab-spaces/client'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { Account } from '../../account/account.js'
import { failed, usage } from '../../failure.js'

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']
/** The service takes no body with these, so that their fields are for the query. */
const BODILESS: readonly string[] = ['GET', 'HEAD', 'DELETE']

export function method(given: string): string {
  const wanted = given.toUpperCase()
  if (METHODS.includes(wanted)) return wanted
  throw new InvalidArgumentError(`It must be one of ${METHODS.join(', ')}.`)
}

/** A request as it was typed. */
export interface Typed {
  readonly method: string
  readonly path: string
  readonly fields: readonly string[]
  readonly input: string | undefined
  readonly headers: readonly string[]
}

export async function requestTo({ url, token }: Account, typed: Typed): Promise<Request> {
  const address = addressOf(url, typed.path)
  const headers = headersOf(typed.headers)
  const fields = typed.fields.map(fieldOf)
  const hasNoBody = BODILESS.includes(typed.method)
  if (hasNoBody && typed.input !== undefined) throw usage(`${typed.method} takes no body, so --input makes no sense`)
  if (typed.input !== undefined && fields.length > 0) throw usage('--field and --input exclude each other')
  if (hasNoBody) for (const [name, value] of fields) address.searchParams.append(name, inQuery(value))
  const body = hasNoBody ? null : await bodyOf(typed.input, fields)
  if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
  headers.set('authorization', `Bearer ${token}`)
  // The token is for this server: wherever it sends us to, we do not take the token there.
  return new Request(address, { method: typed.method, headers, body, redirect: 'manual' })
}

export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    throw SpacesError.unreachable(error)
  }
}

/** What the server serves beside its API. */
const AT_ROOT = /^(api|health|ready|openapi\.json|trpc)(?=[/?]|$)/

function addressOf(server: string, path: string): URL {
  if (/^[a-z][a-z\d+.-]*:/i.test(path)) {
    throw usage('PATH is only the path: the server is that of your account', 'Another server: --url or --profile')
  }
  const onServer = path.replace(/^\/+/, '')
  return new URL(`${server}/${AT_ROOT.test(onServer) ? '' : 'api/'}${onServer}`)
}

function headersOf(given: readonly string[]): Headers {
  const headers = new Headers()
  for (const header of given) {
    const [, name = '', value = ''] = /^([^:]+):([\s\S]*)$/.exec(header) ?? []
    if (/^authorization$/i.test(name)) throw usage('Authorization is sent by itself: for somebody else take --profile')
    try {
      headers.append(name, value.trim())
    } catch {
      throw usage(`--header ${header} is no header`, 'It looks like Name:value')
    }
  }
  return headers
}

type Field = readonly [name: string, value: unknown]

/** `name=value` is a text, `name:=value` JSON. */
function fieldOf(given: string): Field {
  const [, name, assignment, value = ''] = /^([^=]+?)(:?=)([\s\S]*)$/.exec(given) ?? []
  if (name === undefined) throw usage(`--field ${given} has no value`, 'It looks like name=value, or name:=json')
  if (assignment === '=') return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw usage(`--field ${name}: what comes after := must be JSON`, `For a text: ${name}=…`)
  }
}

const inQuery = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function bodyOf(input: string | undefined, fields: readonly Field[]): Promise<string | Buffer | null> {
  if (input === '-') return buffer(process.stdin)
  if (input !== undefined) {
    return readFile(input).catch((error: Error) => {
      throw failed(`--input cannot be read: ${error.message}`)
    })
  }
  return fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : null
}
