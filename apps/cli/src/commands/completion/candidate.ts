import type { Cli } from '../../cli.js'

/** A completion of a word, and what it means. */
export interface Candidate {
  readonly value: string
  readonly meaning: string
}

/** Stands for file names, which the shell completes itself. */
export const FILES: Candidate = { value: ':files', meaning: '' }

/** Nobody waits longer for a completion. */
const TIMEOUT_MS = 1_000

const soon = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) })

/** Candidates for an argument or an option, by the name of its value. */
export const candidatesOf: Readonly<Record<string, (cli: Cli) => Promise<Candidate[]>>> = {
  space: async (cli) => {
    const spaces = await (await cli.client()).space.list.query({}, soon())
    return spaces.map(({ space_id, description }) => ({ value: space_id, meaning: description }))
  },
  agent: async (cli) => {
    const agents = await (await cli.client()).actor.myAgents.query(undefined, soon())
    return agents.map(({ actor_id, display_name }) => ({ value: actor_id, meaning: display_name }))
  },
  file: async () => [FILES],
  profile: async (cli) => {
    const { profiles } = await cli.profiles.read()
    return Object.entries(profiles).map(([name, { display_name, url }]) => ({
      value: name,
      meaning: `${display_name} on ${url}`,
    }))
  },
}
