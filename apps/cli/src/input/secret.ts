import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { isPiped, pipedText } from './pipe.js'

/** A secret, from standard input or a prompt. Arguments are visible to all accounts on the machine. */
export async function givenSecret(cli: Cli, question: Question): Promise<string> {
  if (!isPiped()) return cli.prompt.secret(question)
  const secret = (await pipedText()).trim()
  if (secret === '') throw usage(`${question.required} is required`, 'Standard input is empty')
  return secret
}
