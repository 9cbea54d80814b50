import { InvalidArgumentError } from '@commander-js/extra-typings'

/** Collects the values of a repeatable option. */
export const listed = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value]

/** The same where there are a few words to choose from. `problem` is what is said of any other. */
export const listedOf =
  <T extends string>(words: readonly T[], problem: string) =>
  (value: string, earlier: T[] | undefined): T[] => {
    const word = words.find((one) => one === value)
    if (word === undefined) throw new InvalidArgumentError(problem)
    return [...(earlier ?? []), word]
  }
