import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { isPiped, pipedText } from './pipe.js'

/**
 * The text for a command: from its arguments, which need no quotes; from standard input, for `-` or when it is piped;
 * or from a prompt.
 */
export async function givenText(cli: Cli, words: readonly string[], question: Question): Promise<string> {
  const given = words.join(' ')
  if (given !== '' && given !== '-') return given
  if (given === '' && !isPiped()) return cli.prompt.text(question)
  const text = (await pipedText()).replace(/\r?\n$/, '')
  if (text === '') throw usage(`${question.required} is required`, 'Standard input is empty')
  return text
}
