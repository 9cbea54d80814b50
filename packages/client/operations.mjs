// Writes what the client has of other packages into src/generated, as a published client has no package of ours beside it:
// - operations.ts: every operation with its documentation, which types inferred from the router do not carry, and a name
//   for its input;
// - calls.ts: what the client itself has to know of them;
// - the rules and limits of the domain that programs need to show what they got, and to ask for it.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { operations } from '@collab-spaces/api'

const SHARED = `import type { TRPCClient } from '@trpc/client'
import type { AppRouter, RouterInputs } from '../router.js'

type Calls = TRPCClient<AppRouter>
`

const byNoun = new Map()
for (const operation of operations) {
  const [noun] = operation.name.split('.')
  byNoun.set(noun, [...(byNoun.get(noun) ?? []), operation])
}

const capitalized = (word) => word[0].toUpperCase() + word.slice(1)

function callOf({ name, meta: { openapi } }) {
  const [noun, verb] = name.split('.')
  const paragraphs = [openapi.summary, openapi.description, `\`${openapi.method} ${openapi.path}\``]
  const text = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/')
  const lines = text.split('\n').map((line) => `     * ${line}`.trimEnd())
  return `    /**\n${lines.join('\n')}\n     */\n    readonly ${verb}: Calls['${noun}']['${verb}']\n`
}

const callsOf = ([noun, own]) => `  readonly ${noun}: {\n${own.map(callOf).join('')}  }\n`

function inputOf({ name, input, meta: { openapi } }) {
  if (Object.keys(input.shape).length === 0) return ''
  const [noun, verb] = name.split('.')
  const type = `${capitalized(noun)}${capitalized(verb)}Input`
  return `/** The input of \`${name}\`: ${openapi.summary[0].toLowerCase()}${openapi.summary.slice(1)}. */\nexport type ${type} = Exclude<RouterInputs['${noun}']['${verb}'], void>\n`
}

/** The place of a query in the REST API, and the fields of its input that are headers there. */
const placeOf = ({ name, meta: { openapi, headers } }) => [name, { path: openapi.path, ...(headers && { headers }) }]

/** The field that lists what takes an idempotency key each; null if it is the input that takes one. */
function keyedPartOf({ input: { shape } }) {
  if ('idempotency_key' in shape) return null
  return Object.keys(shape).find((field) => 'idempotency_key' in (shape[field].element?.shape ?? {}))
}

const queries = operations.filter(({ meta, output }) => meta.openapi.method === 'GET' && output)
const idempotent = operations.filter(({ meta }) => meta.idempotent)
const keyed = operations.map((operation) => [operation.name, keyedPartOf(operation)])

const directory = new URL('src/generated/', import.meta.url)
await mkdir(directory, { recursive: true })
const RULES = [
  'attribution.ts',
  'delimiter.ts',
  'cut.ts',
  'image-type.ts',
  'incoming/mrkdwn.ts',
  'inline.ts',
  'limits.ts',
  'mention.ts',
  'name.ts',
  'number.ts',
  'prose.ts',
  'excerpt.ts',
  'revision.ts',
  'search-form.ts',
  'unspaced.ts',
  'visible.ts',
]
for (const file of RULES)
  await copyFile(new URL(`../domain/src/${file}`, import.meta.url), new URL(basename(file), directory))
await writeFile(
  new URL('operations.ts', directory),
  `${SHARED}
/** Every operation of the service as a typed call, under its noun. */
export interface Operations {
${[...byNoun].map(callsOf).join('')}}

${operations.map(inputOf).join('')}`,
)

const json = (value) => JSON.stringify(value, null, 2)

await writeFile(
  new URL('calls.ts', directory),
  `/** Where each query is in the REST API, and which fields of its input are headers there. */
export const QUERIES = ${json(Object.fromEntries(queries.map(placeOf)))} as const

/** The mutations that have the same effect when they are sent twice. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(${json(idempotent.map(({ name }) => name))})

/**
 * The mutations that the server recognizes by an idempotency key. Null if the input takes it; otherwise the field that
 * lists what takes one each.
 */
export const KEYED: Readonly<Record<string, string | null>> = ${json(Object.fromEntries(keyed.filter(([, part]) => part !== undefined)))}
`,
)
