import type { Client } from '@collab-spaces/client'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { actorsIn } from '../../event/participant.js'

/** A login of another service, and a participant; '' for none. */
type Person = readonly [login: string, participant: string]

const listedPerson = (given: string, earlier: Person[] | undefined): Person[] => {
  const [, login, participant] = /^([^=]+)=(.*)$/.exec(given) ?? []
  if (login === undefined || participant === undefined) {
    throw new InvalidArgumentError('It must be a login, =, and a participant.')
  }
  return [...(earlier ?? []), [login, participant]]
}

/** The option of commands that map people of another service to participants. */
export const PERSON = [
  '--person <login=actor>',
  'Login at GitHub, or user ID at Slack, and the participant to mention for it; empty for none (repeatable)',
  listedPerson,
] as const

/** Returns the people of a webhook after a change by options. */
export async function peopleFrom(
  client: Client,
  space_id: string,
  given: readonly Person[],
  present: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const kept = Object.entries(present).filter(([login]) => !given.some(([changed]) => changed === login))
  const added = given.filter(([, participant]) => participant !== '')
  const ids = await actorsIn(
    client,
    space_id,
    added.map(([, participant]) => participant),
  )
  return Object.fromEntries([...kept, ...added.map(([login], index) => [login, ids[index]])])
}
