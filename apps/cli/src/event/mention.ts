import type { Client, Participant } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { cancelled } from '../failure.js'
import { styled, type Text } from '../terminal/styled.js'

interface MentionedText {
  readonly space_id: string
  readonly text: string
  readonly participants: readonly Participant[]
}

/**
 * Returns the IDs of the participants that a text mentions as @Name. Asks a person about a name that fits no participant
 * or several, as an agent that is not mentioned does not answer, and warns a script; but not about a participant that is
 * mentioned anyway.
 */
export async function mentionedIn(
  cli: Cli,
  client: Client,
  message: MentionedText,
  mentioned: readonly string[],
): Promise<string[]> {
  const { space_id } = message
  const { mentions, unclear } = await client.event.findMentions.mutate({ space_id, text: message.text })
  const ids = mentions.map(({ participant_id }) => participant_id)
  for (const { name, participant_ids } of unclear) {
    if (participant_ids.some((id) => mentioned.includes(id))) continue
    const id = await resolveName(cli, message, name, participant_ids)
    if (id !== null) ids.push(id)
  }
  return ids
}

const NO_ACTOR = ''

/** The actor that a name means; null for none. */
async function resolveName(
  cli: Cli,
  message: MentionedText,
  name: string,
  ids: readonly string[],
): Promise<string | null> {
  const { space_id, participants } = message
  const isNobody = ids.length === 0
  const problem = isNobody ? `No one in ${space_id} is named @${name}` : `Several in ${space_id} fit @${name}`
  if (!cli.prompt.canAsk) {
    const wayOut = isNobody ? '' : ` Choose one: ${ids.map((id) => `--mention ${id}`).join(', or ')}`
    cli.out.note(styled`Warning: ${problem}, so it mentions no one.${wayOut}`)
    return null
  }
  if (isNobody) {
    if (!(await cli.prompt.agrees(`${problem}. Say it all the same?`, true))) throw cancelled()
    return null
  }
  const options = ids.map((id) => ({ value: id, label: labelOf(id, participants) }))
  const chosen = await cli.prompt.choose(`${problem}. Who is meant?`, [
    ...options,
    { value: NO_ACTOR, label: 'None of them' },
  ])
  return chosen === NO_ACTOR ? null : chosen
}

function labelOf(id: string, participants: readonly Participant[]): Text {
  const participant = participants.find(({ participant_id }) => participant_id === id)
  return participant ? styled`${participant.name} (${participant.participant_type}, ${id})` : id
}
