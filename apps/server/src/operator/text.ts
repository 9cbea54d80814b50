import { InvalidArgumentError } from 'commander'

/** Parses an argument or the value of an option: some text, but not more than so many characters. */
export function textUpTo(longest: number) {
  return (given: string) => {
    const text = given.trim()
    const { length } = Array.from(text)
    if (length > 0 && length <= longest) return text
    throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`)
  }
}
