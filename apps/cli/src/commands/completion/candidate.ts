import type { Client } from '@collab-spaces/client'
import type { Aliases } from '../../alias/expand.js'
import type { Cli } from '../../cli.js'
import {
  agentCodesOf,
  agentsOf,
  decisionsIn,
  eventsIn,
  incomingIn,
  invitesOf,
  type Kind,
  linksIn,
  membersOf,
  threadsIn,
  tokensOf,
  webhooksOf,
} from '../../id/kind.js'

/** A completion of a word, and what it means. */
export interface Candidate {
  readonly value: string
  readonly meaning: string
}

/** Stands for file names, which the shell completes itself. */
export const FILES: Candidate = { value: ':files', meaning: '' }

/** Timeout of a completion. */
const TIMEOUT_MS = 1_000

/** The maximum number of events offered. */
const MAX_EVENTS = 20

const withTimeout = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) })

/** Returns the candidates for an argument or an option. `space` is the first argument, for what belongs to a space. */
type Source = (cli: Cli, space: string | undefined) => Promise<Candidate[]>

const allOf =
  (kindOf: (client: Client) => Kind): Source =>
  async (cli) =>
    candidatesFrom(kindOf(await cli.client()))

const inSpace =
  (kindIn: (client: Client, space: string) => Kind): Source =>
  async (cli, space) =>
    space === undefined ? [] : candidatesFrom(kindIn(await cli.client(), space))

async function candidatesFrom({ list }: Kind): Promise<Candidate[]> {
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, TIMEOUT_MS).unref())
  const entries = await Promise.race([list(), timeout])
  return entries.map(({ id, meaning }) => ({ value: id, meaning }))
}

const participants: Source = async (cli, space_id) => {
  if (space_id === undefined) return []
  const participants = await (await cli.client()).participant.list.query({ space_id }, withTimeout())
  return participants.map(({ participant_id, name, participant_type }) =>
    // A name with white space would need quotes.
    /\s/.test(name) ? { value: participant_id, meaning: name } : { value: name, meaning: participant_type },
  )
}

export const aliasCandidates = (aliases: Aliases): Candidate[] =>
  Object.entries(aliases).map(([value, expansion]) => ({ value, meaning: `spaces ${expansion}` }))

/** The sources, by the name of the value that is completed. */
export const candidatesOf: Readonly<Record<string, Source>> = {
  space: async (cli) => {
    const spaces = await (await cli.client()).space.list.query({}, withTimeout())
    return spaces.map(({ space_id, title, description }) => ({ value: space_id, meaning: title ?? description }))
  },
  agent: allOf(agentsOf),
  'agent-code': allOf(agentCodesOf),
  scope: async () => [
    { value: 'read', meaning: 'read spaces, events and decisions' },
    { value: 'write', meaning: 'take part in spaces' },
    { value: 'react', meaning: 'add reactions to events' },
    { value: 'settle', meaning: 'resolve and reject decisions' },
    { value: 'manage', meaning: 'change and archive spaces, set up webhooks' },
    { value: 'account', meaning: 'change actors, credentials and tenants' },
  ],
  member: allOf(membersOf),
  token: allOf(tokensOf),
  invite: allOf(invitesOf),
  webhook: allOf(webhooksOf),
  incoming: inSpace(incomingIn),
  start: async () => [
    { value: 'now', meaning: 'with what comes next' },
    { value: 'beginning', meaning: 'with the first event' },
  ],
  decision: inSpace(decisionsIn),
  thread: inSpace(threadsIn),
  link: inSpace(linksIn),
  event: inSpace((client, space) => eventsIn(client, space, MAX_EVENTS)),
  actor: participants,
  assign: participants,
  named: participants,
  file: async () => [FILES],
  alias: async (cli) => aliasCandidates(await cli.aliases.read()),
  profile: async (cli) => {
    const { profiles } = await cli.profiles.read()
    return Object.entries(profiles).map(([name, { display_name, url }]) => ({
      value: name,
      meaning: `${display_name} on ${url}`,
    }))
  },
}
