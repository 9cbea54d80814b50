import { usage } from '../failure.js'

/** Names of a person's own, and the command lines that they stand for. */
export type Aliases = Readonly<Record<string, string>>

/** A word of a command line: without blanks, or in quotes, or both joined. */
const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g

/** The words of a command line, as a shell would split it. */
export const wordsOf = (line: string): string[] =>
  (line.match(WORD) ?? []).map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))

/** An alias with its arguments: those that it names go to `$1`, `$2` and so on, the others to its end. */
export function expanded(name: string, expansion: string, args: readonly string[]): string[] {
  let taken = 0
  const words = wordsOf(expansion).map((word) =>
    word.replace(/\$([1-9])/g, (_, digit) => {
      const number = Number(digit)
      const given = args[number - 1]
      if (given === undefined) throw usage(`Alias ${name} needs ${number} arguments`, `It stands for: ${expansion}`)
      taken = Math.max(taken, number)
      return given
    }),
  )
  return [...words, ...args.slice(taken)]
}
