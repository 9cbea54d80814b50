import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { isPiped, pipedText } from './pipe.js'

/** The way to ask for a text: the question for a prompt, and whether an editor takes its place. */
interface TextQuestion extends Question {
  /** `--editor`. */
  readonly inEditor?: true | undefined
}

/** The flag of every command that takes a long text. */
export const EDITOR = ['-e, --editor', 'Write the text in your editor (SPACES_EDITOR, VISUAL or EDITOR)'] as const

/**
 * The text for a command: from its arguments, which need no quotes; from standard input, for `-` or when it is piped;
 * from an editor; or from a prompt.
 */
export async function givenText(cli: Cli, words: readonly string[], wanted: TextQuestion): Promise<string> {
  const { inEditor, ...question } = wanted
  if (inEditor) return textFromEditor(cli, words, question)
  const given = words.join(' ')
  // An empty text is a mistake, such as a variable that was never set, and no request to read standard input.
  if (words.length > 0 && given === '') throw usage(`${question.required} is empty`)
  if (words.length > 0 && given !== '-') return given
  if (words.length === 0 && !isPiped()) return cli.prompt.text(question)
  const text = (await pipedText()).replace(/\r?\n$/, '')
  if (text === '') throw usage(`${question.required} is required`, 'Standard input is empty')
  return text
}

async function textFromEditor(cli: Cli, words: readonly string[], { required }: Question): Promise<string> {
  if (words.length > 0) throw usage(`${required} and --editor cannot be used together`)
  if (!cli.prompt.canAsk) throw usage('--editor needs a terminal')
  const { editedText } = await import('./editor.js')
  const text = await editedText(cli.settings.editor)
  if (text === '') throw usage(`${required} is empty`, 'Nothing was saved in the editor')
  return text
}
