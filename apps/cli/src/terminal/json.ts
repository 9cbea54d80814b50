import { failed, usage } from '../failure.js'
import { clean, cleanJson } from './clean.js'

/** The form of a result that is printed for a script. */
export interface JsonForm {
  /** Only these fields of it, or of each element of a list. */
  readonly fields?: readonly string[] | undefined
  /** A program in the language of jq. */
  readonly jq?: string | undefined
  /** A text with `{{field}}` in it, once for each element of a list. */
  readonly template?: string | undefined
}

/** The text for a result. `indent` is for results that stand alone; of many, each is one line. */
export async function formatted(value: unknown, { fields, jq, template }: JsonForm, indent?: number): Promise<string> {
  const chosen = fields ? eachOf(value, (one) => withFields(one, fields)) : value
  if (jq !== undefined) return filtered(chosen, jq)
  if (template !== undefined)
    return [chosen]
      .flat()
      .map((one) => filled(template, one))
      .join('\n')
  return cleanJson(JSON.stringify(chosen, null, indent))
}

const eachOf = (value: unknown, choose: (one: unknown) => unknown) =>
  Array.isArray(value) ? value.map(choose) : choose(value)

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withFields(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value
  const unknown = names.find((name) => !Object.hasOwn(value, name))
  if (unknown !== undefined) throw usage(`There is no field ${unknown}`, `Fields: ${Object.keys(value).join(', ')}`)
  return Object.fromEntries(names.map((name) => [name, value[name]]))
}

const PLACE = /\{\{\s*\.?([\w.]+)\s*\}\}/g
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' }

/** A template with the fields of a value in their places; `{{a.b}}` is a field of a field. */
const filled = (template: string, value: unknown) =>
  template
    .replace(/\\[nt\\]/g, (written) => ESCAPES[written] as string)
    .replace(PLACE, (_, path: string) => clean(textOf(path.split('.').reduce(fieldOf, value))))

function fieldOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return null
  if (Object.hasOwn(value, name)) return value[name]
  throw usage(`There is no field ${name}`, `Fields: ${Object.keys(value).join(', ')}`)
}

function textOf(value: unknown): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns the results of the program as `jq -r` prints them: texts without quotes, other values as JSON. */
async function filtered(value: unknown, program: string): Promise<string> {
  const { raw } = await import('jq-wasm/inline')
  const { stdout, stderr, exitCode } = await raw(JSON.stringify(value), program, ['-c'])
  if (exitCode !== 0) {
    const problem = clean(stderr.trim().replace(/^jq: /, ''))
    throw exitCode === COMPILE_ERROR ? usage(`--jq: ${problem}`) : failed(`--jq: ${problem}`)
  }
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => shown(JSON.parse(line)))
    .join('\n')
}

function shown(result: unknown): string {
  if (typeof result !== 'string') return cleanJson(JSON.stringify(result, null, 2))
  return process.stdout.isTTY ? clean(result) : result
}

/** jq's exit code for a program that is none. */
const COMPILE_ERROR = 3
