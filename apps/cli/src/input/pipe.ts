import { buffer } from 'node:stream/consumers'
import type { Cli } from '../cli.js'
import { usage } from '../failure.js'
import type { Question } from '../terminal/prompt.js'
import { decoded } from './utf8.js'

/** Whether standard input is a pipe or a file. From a terminal nothing is read: people do not know how to end it. */
export const isPiped = () => !process.stdin.isTTY

/** All of standard input, to its end. */
export const pipedText = async () => decoded(await buffer(process.stdin), (line) => `Standard input, line ${line}`)

/** A secret, from standard input or a prompt. Arguments are visible to all accounts on the machine. */
export async function givenSecret(cli: Cli, question: Question): Promise<string> {
  if (!isPiped()) return cli.prompt.secret(question)
  const secret = (await pipedText()).trim()
  if (secret === '') throw usage(`${question.required} is required`, 'Standard input is empty')
  return secret
}

/** The code of an invite, from a code or a link. */
export async function givenInviteCode(cli: Cli): Promise<string> {
  const given = await givenSecret(cli, { message: 'Invite code or link', required: 'An invite code' })
  return given.replace(/^.*#/, '')
}
