export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The results of the demo. */
interface DemoResult {
  readonly url: string
  readonly space_id: string
  /** The API key of the human. */
  readonly key: string
  readonly agent_id: string
  readonly thread_id: string
  /** The event of the newest commit. */
  readonly newest: string
}

/** Lines to paste into a shell. */
export function commandsToReadBack({ url, space_id, key, agent_id, thread_id, newest }: DemoResult): string[] {
  const curl = (path: string, options = '-sS') =>
    `  curl ${options} -H "Authorization: Bearer $SPACES_KEY" '${url}/api/spaces/${space_id}${path}'`
  return [
    '',
    'To read it back, first set the key of the human who was registered just now:',
    `  SPACES_KEY=${key}`,
    'The space and its participants:',
    curl('/status'),
    'The newest commits:',
    curl('/events?tail=true&limit=5'),
    'The thread in which the agent answered:',
    curl(`/threads/${thread_id}`),
    'Where the agent was mentioned:',
    curl(`/mentions/${agent_id}`),
    'Everything that is said from now on, live (Ctrl-C ends it):',
    curl(`/events/stream?since=${newest}`, '-sSN'),
  ]
}
