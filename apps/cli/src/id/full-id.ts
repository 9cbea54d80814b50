import { findByName } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { failed, usage } from '../failure.js'
import type { Kind, NamedItem } from './kind.js'

/** Fewer characters would soon mean another thing. */
const SHORTEST = 4

/** The number of a line, which is shorter than a short ID. */
const LINE = /^[1-9]\d{0,2}$/

/**
 * The ID that is meant: a whole ID stands for itself. A name, the beginning or the end of an ID must fit exactly one
 * thing; `last` is the newest one, and a number is a line that was shown in this terminal.
 */
export async function fullId(cli: Cli, kind: Kind, written: string, key?: string): Promise<string> {
  // As lists show the end of an ID.
  const given = written.replace(/^…/, '')
  if (kind.form.test(given)) return given
  if (LINE.test(given)) return idOfLine(cli, kind, Number(given))
  const things = await kind.list()
  const named = findByName(things.filter(isNamed), given)
  if (named.length > 0) return theOnly(kind, given, named)
  if (given === 'last' && key !== undefined)
    throw usage('last and --key cannot be used together', `A retry could mean another ${kind.noun}: use its ID`)
  if (given === 'last') return theOnly(kind, given, things.slice(0, 1))
  if (given.length < SHORTEST) throw unknown(kind, `a short ID has at least ${SHORTEST} characters`)
  const fitting = things.filter(({ id }) => isShortFor(id, given))
  if (fitting.length === 0 && things.length === kind.most) throw notAmongTheNewest(kind, given)
  return theOnly(kind, given, fitting)
}

/** There are more than were looked at. */
const notAmongTheNewest = (kind: Kind, given: string) =>
  unknown(
    kind,
    `no ID of the newest ${kind.most} ${kind.noun === 'entry' ? 'entries' : `${kind.noun}s`} begins or ends with ${given}. ` +
      'For an older one, use the whole ID',
  )

const isNamed = (thing: NamedItem): thing is NamedItem & { readonly name: string } => thing.name !== undefined

/** The part after the prefix, as in `pat_…`, may be given alone. */
function isShortFor(id: string, given: string): boolean {
  const [whole, part] = [id.toLowerCase(), given.toLowerCase()]
  return whole.startsWith(part) || whole.endsWith(part) || whole.replace(/^[a-z]+_/, '').startsWith(part)
}

async function idOfLine(cli: Cli, kind: Kind, line: number): Promise<string> {
  const id = await cli.shown.at(kind, line)
  if (id === undefined) throw unknown(kind, `no line ${line} was shown in this terminal`)
  return id
}

function theOnly(kind: Kind, given: string, [first, ...others]: readonly NamedItem[]): string {
  if (!first) throw unknown(kind, given === 'last' ? 'there is none' : `no ID begins or ends with ${given}`)
  if (others.length === 0) return first.id
  const ids = [first, ...others].slice(0, 5).map(({ id }) => id)
  throw usage(
    `More than one ${kind.noun} fits ${given}`,
    `Use more of the ID: ${ids.join(', ')}${others.length > 4 ? ', …' : ''}`,
  )
}

const unknown = ({ noun, listedBy }: Kind, problem: string) =>
  failed(`${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found: ${problem}`, `List them: ${listedBy}`)
