import { type Commit, commitsOf, openRepository, type Repository } from './git.js'
import { Rest, requireServer, ServerError } from './rest.js'

interface Actor {
  readonly actor_id: string
  readonly display_name: string
  readonly api_key: string
}

interface Event {
  readonly event_id: string
  readonly speaker_type: string
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>> | null
}

export interface DemoOptions {
  readonly url: string
  /** Any directory of the repository whose history is imported. */
  readonly directory: string
  readonly progress: (line: string) => void
}

const MESSAGE_TYPE = 'commit'
const PAGE = 200
const PROGRESS_EVERY = 500

/**
 * Imports a Git history as a space, oldest commit first, and lets a human and an agent talk about it. What the space
 * has already is left alone, so a second run adds the commits that are new since, and nothing else. Resolves to the
 * lines that say what came of it and how to read it back.
 */
export async function runDemo({ url, directory, progress }: DemoOptions): Promise<string[]> {
  const repository = await openRepository(directory)
  await requireServer(url)

  const stranger = new Rest(url)
  const human = await stranger.post<Actor>('/api/actors', { display_name: 'Demo', email: 'demo@example.org' })
  const asHuman = stranger.as(human.api_key)
  const agent = await asHuman.post<Actor>('/api/actors', {
    display_name: 'Historian',
    actor_type: 'agent',
    agent_profile: 'Counts the commits of a repository and says who wrote them',
  })
  const asAgent = stranger.as(agent.api_key)

  const spaceId = `git-${repository.root.slice(0, 12)}`
  const space = `/api/spaces/${spaceId}`
  await openSpace(asHuman, spaceId, repository)
  await asHuman.post(`${space}/join`)
  await asAgent.post(`${space}/join`, { agent_adapter: 'rest' })

  const history = await importHistory(asHuman, space, repository, progress)
  const thread = await discuss(asHuman, asAgent, agent, space, history)
  const { added, commits } = history
  return [
    `${repository.name}: ${counted(commits.length, 'commit')} in the space ${spaceId}, ${added} of them new`,
    ...readItBack(url, space, human, agent, thread, history),
  ]
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The id comes from the repository, so a later run finds the space that an earlier one made. */
async function openSpace(asHuman: Rest, spaceId: string, { name }: Repository): Promise<void> {
  try {
    await asHuman.post('/api/spaces', { space_id: spaceId, description: `The Git history of ${name}` })
  } catch (error) {
    if (!(error instanceof ServerError && error.status === 409)) throw error
  }
}

interface History {
  readonly commits: readonly Commit[]
  /** The event of the newest commit. */
  readonly newest: string
  readonly added: number
}

/** One write after the other: only an answered one has its place in the history, and the order is the point here. */
async function importHistory(
  asHuman: Rest,
  space: string,
  repository: Repository,
  progress: (line: string) => void,
): Promise<History> {
  const imported = await importedCommits(asHuman, space)
  const commits: Commit[] = []
  let newest = ''
  let added = 0
  for await (const commit of commitsOf(repository)) {
    commits.push({ ...commit, message: '' })
    const known = imported.get(commit.hash)
    newest = known ?? (await say(asHuman, space, commit)).event_id
    if (known === undefined) added++
    if (commits.length % PROGRESS_EVERY === 0) {
      progress(`${commits.length} of ${repository.commitCount} commits`)
    }
  }
  return { commits, newest, added }
}

/** Commit to event, of all that the space holds, read with a cursor as any reader would. */
async function importedCommits(rest: Rest, space: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let cursor = ''
  for (;;) {
    const page = await rest.get<Event[]>(`${space}/events?limit=${PAGE}${cursor}`)
    for (const { event_id, metadata } of page) {
      if (metadata?.message_type === MESSAGE_TYPE) found.set(String(metadata.commit), event_id)
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return found
    cursor = `&since=${last.event_id}`
  }
}

const LONGEST_TEXT = 100_000
const LONGEST_NAME = 200

/** The first `limit` code points, or what stands for nothing. */
const fit = (text: string, limit: number, instead: string) => {
  const trimmed = text.trim() || instead
  return trimmed.length <= limit ? trimmed : [...trimmed].slice(0, limit).join('')
}

function say(asHuman: Rest, space: string, commit: Commit): Promise<Event> {
  const { hash, parents, authorName, authorEmail, authoredAt, committedAt, message } = commit
  const event = {
    speaker_id: fit(authorEmail, LONGEST_NAME, 'unknown'),
    speaker_name: fit(authorName, LONGEST_NAME, 'Unknown'),
    text: fit(message, LONGEST_TEXT, '(no message)'),
    references: [`git:${hash}`],
    metadata: { message_type: MESSAGE_TYPE, commit: hash, parents, authored_at: authoredAt, committed_at: committedAt },
  }
  return asHuman.post<Event>(`${space}/events`, event, `commit ${hash}`)
}

interface Thread {
  readonly thread_id: string
}

/** A question about the newest commit, and the agent's answer, once per commit that was the newest. */
async function discuss(asHuman: Rest, asAgent: Rest, agent: Actor, space: string, history: History): Promise<Thread> {
  const thread = await asHuman.post<Thread>(`${space}/threads`, {
    parent_event_id: history.newest,
    subject: 'What happened so far?',
  })
  const { thread_id } = thread
  const { events } = await asHuman.get<{ readonly events: Event[] }>(`${space}/threads/${thread_id}`)
  if (events.some(({ speaker_type }) => speaker_type === 'agent')) return thread

  await asHuman.post(`${space}/speech`, {
    text: `@${agent.display_name} what happened so far?`,
    thread_id,
    metadata: { mentions: [agent.actor_id] },
  })
  const [question] = await asAgent.get<Event[]>(`${space}/mentions/${agent.actor_id}?limit=1`)
  if (!question) throw new ServerError('The agent was mentioned, but cannot see where')
  await asAgent.post(`${space}/response`, {
    text: summaryOf(history.commits),
    parent_event_id: question.event_id,
    thread_id,
  })
  return thread
}

const MOST_ACTIVE = 3

function summaryOf(commits: readonly Commit[]): string {
  const byAuthor = new Map<string, number>()
  for (const { authorName } of commits) byAuthor.set(authorName, (byAuthor.get(authorName) ?? 0) + 1)
  const most = [...byAuthor].sort(([, one], [, other]) => other - one).slice(0, MOST_ACTIVE)
  const days = commits.map(({ authoredAt }) => authoredAt.slice(0, 10)).sort()
  return (
    `${counted(commits.length, 'commit')} by ${counted(byAuthor.size, 'author')}, ` +
    `from ${days[0]} to ${days.at(-1)}. ` +
    `Most of them: ${most.map(([name, count]) => `${name} (${count})`).join(', ')}.`
  )
}

/** Lines to paste into a shell. */
function readItBack(
  url: string,
  space: string,
  human: Actor,
  agent: Actor,
  { thread_id }: Thread,
  { newest }: History,
): string[] {
  const curl = (path: string, options = '-sS') =>
    `  curl ${options} -H "Authorization: Bearer $SPACES_KEY" '${url}${space}${path}'`
  return [
    '',
    'To read it back, first set the key of the human that was registered just now:',
    `  SPACES_KEY=${human.api_key}`,
    'The space and who is in it:',
    curl('/status'),
    'The newest commits:',
    curl('/events?tail=true&limit=5'),
    'The thread in which the agent answered:',
    curl(`/threads/${thread_id}`),
    'Where the agent was mentioned:',
    curl(`/mentions/${agent.actor_id}`),
    'What is said from now on, live (Ctrl-C ends it):',
    curl(`/events/stream?since=${newest}`, '-sSN'),
  ]
}
