import type { Client, Participant } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { cancelled } from '../failure.js'
import { cleanLine } from '../terminal/clean.js'

interface Said {
  readonly space_id: string
  readonly text: string
  readonly participants: readonly Participant[]
}

/** Whether a text may call somebody as @Name. The server tells what is code and the like. */
export const mayCall = (text: string): boolean => /@\S/.test(text)

/**
 * The IDs of those whom a text calls as @Name. A person is asked about what fits nobody, or several, as an agent that is
 * not mentioned is not called; a script is warned. Not about those who are mentioned anyway.
 */
export async function calledIn(cli: Cli, client: Client, said: Said, mentioned: readonly string[]): Promise<string[]> {
  const { space_id } = said
  const { mentions, unclear } = await client.event.findMentions.mutate({ space_id, text: said.text })
  const ids = mentions.map(({ participant_id }) => participant_id)
  for (const { name, participant_ids } of unclear) {
    if (participant_ids.some((id) => mentioned.includes(id))) continue
    const id = await meant(cli, said, name, participant_ids)
    if (id !== null) ids.push(id)
  }
  return ids
}

const NOBODY = ''

/** The actor who is meant by a name; null for nobody. */
async function meant(cli: Cli, said: Said, name: string, ids: readonly string[]): Promise<string | null> {
  const { space_id, participants } = said
  const isNobody = ids.length === 0
  const problem = isNobody ? `Nobody in ${space_id} is named @${name}` : `Several in ${space_id} fit @${name}`
  if (!cli.prompt.canAsk) {
    const wayOut = isNobody ? '' : ` Choose one: ${ids.map((id) => `--mention ${id}`).join(', or ')}`
    cli.out.note(`Warning: ${cleanLine(problem)}, so it mentions nobody.${wayOut}`)
    return null
  }
  if (isNobody) {
    if (!(await cli.prompt.agrees(`${problem}. Say it all the same?`, true))) throw cancelled()
    return null
  }
  const options = ids.map((id) => ({ value: id, label: labelOf(id, participants) }))
  const chosen = await cli.prompt.choose(`${problem}. Who is meant?`, [...options, { value: NOBODY, label: 'Nobody' }])
  return chosen === NOBODY ? null : chosen
}

function labelOf(id: string, participants: readonly Participant[]): string {
  const participant = participants.find(({ participant_id }) => participant_id === id)
  return participant ? `${cleanLine(participant.name)} (${participant.participant_type}, ${id})` : id
}
