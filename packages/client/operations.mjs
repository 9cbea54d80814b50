// Writes what the client has of other packages into src/generated: operations.ts, every operation with its documentation,
// which types inferred from the router do not carry, and a name for its input; and the rules of the domain that programs
// need to show what they got, as a published client has no package of ours beside it.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
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

const directory = new URL('src/generated/', import.meta.url)
await mkdir(directory, { recursive: true })
await copyFile(new URL('../domain/src/claim.ts', import.meta.url), new URL('claim.ts', directory))
await writeFile(
  new URL('operations.ts', directory),
  `${SHARED}
/** Every operation of the service as a typed call, under its noun. */
export interface Operations {
${[...byNoun].map(callsOf).join('')}}

${operations.map(inputOf).join('')}`,
)
