import { type Actor, type Answer, Client, type Extras } from '@collab-spaces/testing'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { document, type Operation, operationOf } from './document.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(closed(document), 'document')

/** Returns a part of the document in which objects have no other fields than the documented ones. */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T
  if (typeof part !== 'object' || part === null) return part
  const fields = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  const isObject = fields.type === 'object' && typeof fields.properties === 'object'
  return (isObject ? { additionalProperties: false, ...fields } : fields) as T
}

const validators = new Map<string, ValidateFunction>()

/** Checks the status, type and every field of an answer against the document. */
export function conform(operation: Operation, answer: Answer): void {
  const { status, headers, text } = answer
  const title = `${status} of ${operation.method} ${operation.path}`
  const content = operation.responses[status]?.content
  expect(content, `${title} is documented`).toBeDefined()
  // A file has the type that its sender named.
  if (content && 'application/octet-stream' in content) return
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(content ?? {}), title).toEqual([type])
  if (type !== 'application/json' || text === '') return
  const validate = validatorOf(operation, status)
  validate(answer.body)
  expect(validate.errors ?? [], title).toEqual([])
}

export function validatorOf({ path, method }: Operation, status: number): ValidateFunction {
  const steps = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema']
  const pointer = steps.map((step) => encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')))
  return validatorAt(`document#/${pointer.join('/')}`)
}

/** Validates the body of a request to a webhook, by the type of its message. */
export const validatorOfMessage = (type: string): ValidateFunction =>
  validatorAt(`document#/webhooks/${type}/post/requestBody/content/application~1json/schema`)

function validatorAt($ref: string): ValidateFunction {
  const validate = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, validate)
  return validate
}

/** A client that checks each answer against the document. */
export class ConformingClient extends Client {
  override as(actor: Actor | string | undefined): ConformingClient {
    return new ConformingClient(this.url, super.as(actor).key)
  }

  protected override async exchange(method: string, path: string, body: unknown, extras: Extras): Promise<Answer> {
    const answer = await super.exchange(method, path, body, extras)
    const operation = operationOf(method, path)
    if (!operation) throw new Error(`The document has no operation for ${method} ${path}`)
    conform(operation, answer)
    return answer
  }
}
