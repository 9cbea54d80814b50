import { cancelled, usage } from '../failure.js'

export interface Question {
  readonly message: string
  /** What would have answered it, for whoever cannot be asked: `--name`. */
  readonly flag: string
  readonly placeholder?: string
}

const loadPrompts = () => import('@clack/prompts')

/** Asks the person at the terminal. Where there is none it fails at once, and says which flag was missing. */
export class Prompt {
  constructor(private readonly interactive: boolean) {}

  async text({ message, flag, placeholder }: Question): Promise<string> {
    this.#requirePerson(flag)
    const { text, isCancel } = await loadPrompts()
    const answer = await text({
      message,
      output: process.stderr,
      ...(placeholder !== undefined && { placeholder }),
      validate: (value) => (value?.trim() ? undefined : 'It must not be empty'),
    })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** What is typed is not shown. */
  async secret({ message, flag }: Question): Promise<string> {
    this.#requirePerson(flag)
    const { password, isCancel } = await loadPrompts()
    const answer = await password({ message, output: process.stderr })
    if (isCancel(answer)) throw cancelled()
    return answer.trim()
  }

  /** Before what cannot be undone. `yes` is what the flag said. */
  async confirm(message: string, yes: boolean | undefined): Promise<void> {
    if (yes) return
    this.#requirePerson('--yes')
    const { confirm, isCancel } = await loadPrompts()
    const answer = await confirm({ message, output: process.stderr, initialValue: false })
    if (isCancel(answer) || !answer) throw cancelled()
  }

  #requirePerson(flag: string): void {
    if (this.interactive) return
    throw usage(`${flag} is missing`, 'Without a terminal, or with --json, nobody is asked')
  }
}
