import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { isPiped, pipedText } from './pipe.js'

/** A secret is piped in or asked for: an argument is seen by everybody on the machine. */
export async function givenSecret(cli: Cli, question: Question): Promise<string> {
  if (!isPiped()) return cli.prompt.secret(question)
  const secret = (await pipedText()).trim()
  if (secret === '') throw usage(`${question.flag} is missing`, 'Nothing came from standard input either')
  return secret
}
