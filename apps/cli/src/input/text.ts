import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { isPiped, pipedText } from './pipe.js'

/**
 * The text that a command was given: in its arguments, which need no quotes, or on standard input, for `-` and where
 * something is piped in. A person who gave none is asked.
 */
export async function givenText(cli: Cli, words: readonly string[], question: Question): Promise<string> {
  const given = words.join(' ')
  if (given !== '' && given !== '-') return given
  if (given === '' && !isPiped()) return cli.prompt.text(question)
  const text = (await pipedText()).replace(/\r?\n$/, '')
  if (text === '') throw usage(`${question.flag} is missing`, 'Nothing came from standard input either')
  return text
}
