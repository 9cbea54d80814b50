import { openApiDocument } from '@collab-spaces/api/openapi'

/** The part of JSON Schema that the document's inputs and answers are written in. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: string
}

interface Media {
  readonly schema: Schema
  readonly example?: Readonly<Record<string, unknown>>
}

type Content = Readonly<Record<string, Media>>

interface DescribedOperation {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation of the API as the document describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** The names in braces, in the order of the path. */
  readonly names: readonly string[]
  /** Whether it may be called without a credential. */
  readonly open: boolean
  /** Whether it never takes a credential. */
  readonly keyless: boolean
  /** The scope that a limited credential needs. */
  readonly scope: string
  readonly query: readonly Parameter[]
  readonly body: Schema | undefined
  readonly responses: DescribedOperation['responses']
}

/** Returns the document, parsed from its JSON. */
export const documentOf = (publicUrl: string): Document => JSON.parse(JSON.stringify(openApiDocument(publicUrl)))

/** The document, available when tests are collected, because each operation has its tests. */
export const document = documentOf('http://127.0.0.1')

/** The operations of the API: those that are procedures. */
export const operations: readonly Operation[] = apiPaths().flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    open: described.security.length === 0 || described.security.some((way) => Object.keys(way).length === 0),
    keyless: described.security.length === 0,
    scope: described.security.flatMap(({ bearer = [] }) => bearer).join(),
    query: (described.parameters ?? []).filter((parameter) => parameter.in === 'query'),
    body: bodyOf(described),
    responses: described.responses,
  })),
)

function apiPaths() {
  return Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'))
}

/** Returns the schema of a body without ignored fields. */
function bodyOf({ requestBody }: DescribedOperation): Schema | undefined {
  const shown = requestBody?.content['application/json']?.schema
  if (!shown) return undefined
  const { properties = {}, ...schema } = resolved(shown)
  const taken = Object.entries(properties).filter(([, { description }]) => !description?.startsWith('Ignored'))
  return { ...schema, properties: Object.fromEntries(taken) }
}

/** Resolves a reference to a schema. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : resolved(document.components.schemas[name] as Schema)
}

/** Returns the operation of a request. As in the server, a literal segment wins over a parameter. */
export function operationOf(method: string, target: string): Operation | undefined {
  const segments = (target.split('?')[0] as string).split('/')
  const wanted = method === 'HEAD' ? 'GET' : method
  return operations
    .filter((operation) => operation.method === wanted && matches(operation.path.split('/'), segments))
    .sort((a, b) => a.names.length - b.names.length)[0]
}

const matches = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((segment, index) => segment.startsWith('{') || segment === segments[index])
