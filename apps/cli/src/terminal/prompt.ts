import { cancelled, usage } from '../failure.js'
import { clean } from './clean.js'
import { body, StyledText, type Text } from './styled.js'

export interface Question {
  readonly message: Text
  /** The option that is required without a terminal, such as `--name`. */
  readonly required: string
  /** The present value, to be changed or accepted. */
  readonly initial?: string
  /** The mistake in an answer, if there is one. */
  readonly problemWith?: (answer: string) => string | undefined
}

const loadPrompts = () => import('@clack/prompts')

/** Prompts the person at the terminal. Without one it fails immediately, and names what is required instead. */
export class Prompt {
  /** `canAsk` says whether there is a person to ask. */
  constructor(readonly canAsk: boolean) {}

  async text({ message, required, initial, problemWith }: Question): Promise<string> {
    this.#requirePerson(required)
    const { text, isCancel } = await loadPrompts()
    const answer = await text({
      message: body(message).ansi,
      output: process.stderr,
      ...(initial !== undefined && { initialValue: clean(initial) }),
      validate: (value) => (value?.trim() ? cleanProblem(problemWith?.(value.trim())) : 'Enter a value'),
    })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** Input is hidden. */
  async secret({ message, required }: Question): Promise<string> {
    this.#requirePerson(required)
    const { password, isCancel } = await loadPrompts()
    const answer = await password({ message: body(message).ansi, output: process.stderr })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** Asks before what cannot be undone. `yes` is the flag that skips it. */
  async confirm(message: Text, yes: boolean | undefined): Promise<void> {
    if (yes) return
    this.#requirePerson('--yes')
    if (!(await this.agrees(message, false))) throw cancelled()
  }

  /** A question with yes or no, for when there is a person. */
  async agrees(message: Text, initialValue: boolean): Promise<boolean> {
    const { confirm, isCancel } = await loadPrompts()
    const answer = await confirm({ message: body(message).ansi, output: process.stderr, initialValue })
    if (isCancel(answer)) throw cancelled()
    return answer
  }

  /** One of several, for when there is a person. */
  async choose(message: Text, options: readonly { readonly value: string; readonly label: Text }[]): Promise<string> {
    const { select, isCancel } = await loadPrompts()
    const answer = await select({
      message: body(message).ansi,
      output: process.stderr,
      options: options.map(({ value, label }) => ({ value, label: StyledText.line(label).ansi })),
    })
    if (isCancel(answer)) throw cancelled()
    return answer
  }

  #requirePerson(required: string): void {
    if (this.canAsk) return
    throw usage(`${required} is required`, 'There are no prompts without a terminal or with --json')
  }
}

const cleanProblem = (problem: string | undefined) => problem && clean(problem)
