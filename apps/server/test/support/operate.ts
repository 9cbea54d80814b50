import { startProgram } from '@collab-spaces/testing'

export interface Outcome {
  readonly code: number | string
  readonly lines: readonly string[]
  readonly complaints: readonly string[]
}

/** The progress that a long command prints. */
const PROGRESS = /^[a-z_ ]+: [\d,]+$/

/** Runs a command of the operator in its own process, to its end. */
export async function operate(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Outcome> {
  const program = startProgram(environment, words)
  const code = await program.end()
  const complaints = program.complaints.filter((line) => !PROGRESS.test(line))
  return { code, lines: program.stdout.split('\n').filter((line) => line !== ''), complaints }
}
