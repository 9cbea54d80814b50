import { SpacesError } from '@collab-spaces/client'
import type { Command } from 'commander'
import { distance } from 'fastest-levenshtein'
import type { Cli } from '../cli.js'

const MAX_TYPOS = 3

/** Adds the space that was probably meant to the error of one that does not exist. */
export async function withNearestSpace(cli: Cli, command: Command, error: unknown): Promise<unknown> {
  if (!(error instanceof SpacesError) || error.status !== 404 || error.detail !== 'Space not found') return error
  try {
    const spaces = await (await cli.client()).space.list.query({})
    const nearest = nearestOf(
      spaces.map(({ space_id }) => space_id),
      wordsOf(command),
    )
    if (nearest === null) return error
    const { status, detail, mayPass, fields, requestId } = error
    return new SpacesError({ status, detail, mayPass, requestId, fields: { ...fields, did_you_mean: nearest } })
  } catch {
    return error
  }
}

/** The arguments of a command, and the values of its options. */
const wordsOf = (command: Command): string[] =>
  [command.args, Object.values(command.opts())].flat(2).filter((word) => typeof word === 'string' && word !== '')

/** Returns the name that is nearest to one of the words, unless none is near or the word is a name itself. */
function nearestOf(names: readonly string[], words: readonly string[]): string | null {
  const pairs = words
    .filter((word) => !names.includes(word))
    .flatMap((word) => names.map((name) => ({ name, typos: distance(name.toLowerCase(), word.toLowerCase()) })))
    .filter(({ name, typos }) => typos <= MAX_TYPOS && typos < name.length / 2)
  return pairs.sort((one, other) => one.typos - other.typos)[0]?.name ?? null
}
