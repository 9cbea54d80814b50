import type { Client, Event } from '@collab-spaces/client'
import { type Commit, commitsOf, type Repository } from './git.js'

/** The commits of a repository in the space. */
export interface History {
  readonly commits: readonly Commit[]
  /** The event of the newest commit. */
  readonly newest: string
  /** The number of commits that are new in the space. */
  readonly added: number
}

const MESSAGE_TYPE = 'commit'
const PROGRESS_INTERVAL = 500

/** Adds the missing commits one after the other, as their order matters. */
export async function importHistory(
  client: Client,
  space_id: string,
  repository: Repository,
  progress: (line: string) => void,
): Promise<History> {
  const imported = await importedCommits(client, space_id)
  const commits: Commit[] = []
  let newest = ''
  let added = 0
  for await (const commit of commitsOf(repository)) {
    commits.push({ ...commit, message: '' })
    const known = imported.get(commit.hash)
    newest = known ?? (await append(client, space_id, commit)).event_id
    if (known === undefined) added++
    if (commits.length % PROGRESS_INTERVAL === 0) {
      progress(`${commits.length} of ${repository.commitCount} commits`)
    }
  }
  return { commits, newest, added }
}

/** Returns the events of the commits in the space, by commit hash. */
async function importedCommits(client: Client, spaceId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { event_id, metadata } of client.events(spaceId)) {
    if (metadata?.message_type === MESSAGE_TYPE) found.set(String(metadata.commit), event_id)
  }
  return found
}

/** The limits of the service, in characters. */
const MAX_TEXT = 100_000
const MAX_NAME = 200

/** Returns the first `limit` characters of a text, or a substitute for an empty one. */
function fit(text: string, limit: number, substitute: string): string {
  const trimmed = text.trim() || substitute
  return trimmed.length <= limit ? trimmed : [...trimmed].slice(0, limit).join('')
}

function append(client: Client, space_id: string, commit: Commit): Promise<Event> {
  const { hash, parents, authorName, authorEmail, authoredAt, committedAt, message } = commit
  return client.event.append.mutate({
    space_id,
    speaker_id: fit(authorEmail, MAX_NAME, 'unknown'),
    speaker_name: fit(authorName, MAX_NAME, 'Unknown'),
    text: fit(message, MAX_TEXT, '(no message)'),
    references: [`git:${hash}`],
    metadata: {
      message_type: MESSAGE_TYPE,
      commit: hash,
      parents: [...parents],
      authored_at: authoredAt,
      committed_at: committedAt,
    },
    // Two concurrent runs add a commit once.
    idempotency_key: `commit ${hash}`,
  })
}
