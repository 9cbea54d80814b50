import { text } from 'node:stream/consumers'
import { usage } from '../failure.js'
import type { Prompt, Question } from './prompt.js'

/** All that is piped in, without the line break at its end. */
export const readInput = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '')

/** A text that is given as an argument, piped in (`-` says so too), or else asked for. */
export async function textOf(given: string | undefined, prompt: Prompt, question: Question): Promise<string> {
  if (given !== undefined && given !== '-') return given
  if (given === undefined && process.stdin.isTTY) return prompt.text(question)
  return requireInput(question.flag)
}

/** A secret is piped in or asked for: an argument is seen by everybody on the machine. */
export async function secretOf(prompt: Prompt, question: Question): Promise<string> {
  if (process.stdin.isTTY) return prompt.secret(question)
  return (await requireInput(question.flag)).trim()
}

async function requireInput(missing: string): Promise<string> {
  const input = await readInput()
  if (input.trim() === '') throw usage(`${missing} is missing`, 'Standard input is empty')
  return input
}
