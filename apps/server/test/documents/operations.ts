import { type Operation, operations } from '@collab-spaces/api'
import { operations as described, type Schema } from '../support/document.js'
import { wrapped } from './text.js'

/** Procedures with other names in the client, which has streams as functions of its own. */
const STREAMS: Readonly<Record<string, string>> = { 'event.stream': 'stream', 'actor.stream': 'actorStream' }

const CALLERS: Readonly<Record<string, string>> = {
  none: '*Public.*',
  human: 'Humans only.',
  admin: 'For admins.',
  auditor: 'For admins.',
}

/** Fields with a heading of the reference. */
const HEADINGS: Readonly<Record<string, string>> = { wait: 'waiting', claim: 'claims' }

const LIMITS = ['`scopes?`', '`space_ids?`', '`expires_at?`'].join(', ')
const LINK_OF_LIMITS = '[limits?](#limits-of-credentials)'

/** The names of all procedures. */
export const procedures = operations.map(({ name }) => name)

/**
 * Returns the procedures of a region, which begins with a comment of their names. The name of a router stands for all of its
 * procedures that no region names.
 */
export function proceduresOf(begin: string, reference: string): string[] {
  const named = Array.from(reference.matchAll(/<!-- operations:[^>]*-->/g), ([each]) => namesIn(each)).flat()
  return namesIn(begin).flatMap((name) =>
    name.includes('.') ? name : procedures.filter((each) => each.startsWith(`${name}.`) && !named.includes(each)),
  )
}

const namesIn = (begin: string) => begin.match(/[\w.]+/g)?.slice(1) ?? []

/** Returns the rows of procedures, as the reference has them. */
export const rowsOf = (names: readonly string[]): string => names.map(rowOf).join('\n')

function rowOf(name: string): string {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`The reference names ${name}, which is no procedure`)
  const { caller, route, description, returns } = operation.meta
  const text = [CALLERS[caller], description, fieldsOf(operation)].filter(Boolean).join(' ')
  const head = `\`${route}\` (\`${STREAMS[name] ?? name}\`)${text === '' ? '' : ':'}`
  return wrapped([head, text, returns && `→ ${returns}`].filter(Boolean).join(' '), '  ', '- ')
}

/** Returns the query and body fields of a procedure, in the order of its input, each with its default. */
function fieldsOf({ name, input }: Operation): string {
  const { query = [], body } = described.find(({ id }) => id === name.replace('.', '_')) ?? {}
  const schemas = { ...Object.fromEntries(query.map(({ name, schema }) => [name, schema])), ...body?.properties }
  const required = [...query.filter((each) => each.required).map((each) => each.name), ...(body?.required ?? [])]
  return Object.keys(input.shape)
    .flatMap((field) => (schemas[field] ? fieldOf(field, required.includes(field), schemas[field]) : []))
    .join(', ')
    .replace(LIMITS, LINK_OF_LIMITS)
}

function fieldOf(name: string, isRequired: boolean, schema: Schema): string {
  // The default of a field that may be null is inside the alternative.
  const [fallback] = [schema, ...(schema.anyOf ?? [])].flatMap((each) => each.default ?? [])
  const field = `\`${name}${isRequired ? '' : '?'}${fallback === undefined ? '' : `=${textOf(fallback)}`}\``
  const heading = HEADINGS[name]
  return heading === undefined ? field : `[${field}](#${heading})`
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
