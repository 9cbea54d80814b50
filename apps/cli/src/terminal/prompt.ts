import { cancelled, usage } from '../failure.js'

export interface Question {
  readonly message: string
  /** What is required when nobody can be asked, such as `--name`. */
  readonly required: string
  readonly placeholder?: string
}

const loadPrompts = () => import('@clack/prompts')

/** Prompts the person at the terminal. Without one it fails immediately, and names what is required instead. */
export class Prompt {
  constructor(private readonly interactive: boolean) {}

  async text({ message, required, placeholder }: Question): Promise<string> {
    this.#requirePerson(required)
    const { text, isCancel } = await loadPrompts()
    const answer = await text({
      message,
      output: process.stderr,
      ...(placeholder !== undefined && { placeholder }),
      validate: (value) => (value?.trim() ? undefined : 'Enter a value'),
    })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** Input is hidden. */
  async secret({ message, required }: Question): Promise<string> {
    this.#requirePerson(required)
    const { password, isCancel } = await loadPrompts()
    const answer = await password({ message, output: process.stderr })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** Asks before what cannot be undone. `yes` is the flag that skips it. */
  async confirm(message: string, yes: boolean | undefined): Promise<void> {
    if (yes) return
    this.#requirePerson('--yes')
    const { confirm, isCancel } = await loadPrompts()
    const answer = await confirm({ message, output: process.stderr, initialValue: false })
    if (isCancel(answer) || !answer) throw cancelled()
  }

  #requirePerson(required: string): void {
    if (this.interactive) return
    throw usage(`${required} is required`, 'There are no prompts without a terminal or with --json')
  }
}
