import { type Client, SpacesError } from '@collab-spaces/client'
import { openRepository, type Repository } from './git.js'
import { importHistory } from './history.js'
import { register } from './participant.js'
import { commandsToReadBack, counted } from './report.js'
import { discuss } from './thread.js'

export interface DemoOptions {
  readonly url: string
  /** Any directory of the imported repository. */
  readonly directory: string
  readonly progress: (line: string) => void
}

/**
 * Imports a Git history as a space, oldest commit first, and adds a conversation of a human and an agent about it. A
 * second run adds only new commits. Resolves to the lines to print: the results, and how to read them.
 */
export async function runDemo({ url, directory, progress }: DemoOptions): Promise<string[]> {
  const repository = await openRepository(directory)
  const { human, agent } = await register(url)
  const space_id = `git-${repository.root.slice(0, 12)}`
  await openSpace(human.client, space_id, repository)
  await human.client.participant.join.mutate({ space_id })
  await agent.client.participant.join.mutate({ space_id, agent_adapter: 'demo' })

  const history = await importHistory(human.client, space_id, repository, progress)
  const thread = await discuss(human, agent, space_id, history)
  const { commits, added, newest } = history
  return [
    `${repository.name}: ${counted(commits.length, 'commit')} in the space ${space_id}, ${added} of them new`,
    ...commandsToReadBack({
      url,
      space_id,
      key: human.key,
      agent_id: agent.actor.actor_id,
      thread_id: thread.thread_id,
      newest,
    }),
  ]
}

/** Derives the id from the repository, so that a later run finds the space. */
async function openSpace(client: Client, space_id: string, { name }: Repository): Promise<void> {
  try {
    await client.space.create.mutate({ space_id, description: `The Git history of ${name}` })
  } catch (error) {
    if (!(error instanceof SpacesError && error.status === 409)) throw error
  }
}
