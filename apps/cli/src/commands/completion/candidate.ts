import type { Cli } from '../../cli.js'

/** What a word may become, and what that means. */
export interface Candidate {
  readonly value: string
  readonly about: string
}

/** Where a file is to be named, the shell knows better. */
export const FILES: Candidate = { value: ':files', about: '' }

/** A person who waits for longer goes on typing. */
const LONGEST_MS = 1_000

const patience = () => ({ signal: AbortSignal.timeout(LONGEST_MS) })

/** What can be named, by the name that arguments and options have for it. */
export const nameable: Readonly<Record<string, (cli: Cli) => Promise<Candidate[]>>> = {
  space: async (cli) => {
    const spaces = await (await cli.client()).space.list.query({}, patience())
    return spaces.map(({ space_id, description }) => ({ value: space_id, about: description }))
  },
  agent: async (cli) => {
    const agents = await (await cli.client()).actor.myAgents.query(undefined, patience())
    return agents.map(({ actor_id, display_name }) => ({ value: actor_id, about: display_name }))
  },
  file: async () => [FILES],
  profile: async (cli) => {
    const { profiles } = await cli.profiles.read()
    return Object.entries(profiles).map(([name, { display_name, url }]) => ({
      value: name,
      about: `${display_name} on ${url}`,
    }))
  },
}
