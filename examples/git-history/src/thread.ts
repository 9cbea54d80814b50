import type { Thread } from '@collab-spaces/client'
import type { Commit } from './git.js'
import type { History } from './history.js'
import type { Participant } from './participant.js'
import { counted } from './report.js'

/** Adds a question about the newest commit, and the agent's answer, once per newest commit. */
export async function discuss(
  human: Participant,
  agent: Participant,
  space_id: string,
  { newest, commits }: History,
): Promise<Thread> {
  const subject = 'What happened so far?'
  const thread = await human.client.thread.start.mutate({ space_id, parent_event_id: newest, subject })
  const { thread_id } = thread
  const { events } = await human.client.rest('thread.get', { space_id, event_id: thread_id })
  if (events.some(({ speaker_type }) => speaker_type === 'agent')) return thread

  const { actor_id, display_name } = agent.actor
  await human.client.event.speech.mutate({
    space_id,
    thread_id,
    text: `@${display_name} what happened so far?`,
    metadata: { mentions: [actor_id] },
  })
  const [question] = await agent.client.event.mentions.query({ space_id, participant_id: actor_id, limit: 1 })
  await agent.client.event.response.mutate({
    space_id,
    thread_id,
    text: summaryOf(commits),
    parent_event_id: question?.event_id,
  })
  return thread
}

const MAX_ACTIVE = 3

function summaryOf(commits: readonly Commit[]): string {
  const byAuthor = new Map<string, number>()
  for (const { authorName } of commits) byAuthor.set(authorName, (byAuthor.get(authorName) ?? 0) + 1)
  const most = [...byAuthor].sort(([, one], [, other]) => other - one).slice(0, MAX_ACTIVE)
  const days = commits.map(({ authoredAt }) => authoredAt.slice(0, 10)).sort()
  return (
    `${counted(commits.length, 'commit')} by ${counted(byAuthor.size, 'author')}, ` +
    `from ${days[0]} to ${days.at(-1)}. ` +
    `Most of them: ${most.map(([name, count]) => `${name} (${count})`).join(', ')}.`
  )
}
