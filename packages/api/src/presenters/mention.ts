import type { Mention } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Mentions } from '../schemas/event.js'

export function presentMentions(found: readonly Mention[]): z.infer<typeof Mentions> {
  const shown: z.infer<typeof Mentions> = { mentions: [], unclear: [] }
  for (const { name, people } of found) {
    const [one, another] = people
    if (one && !another) shown.mentions.push({ name, participant_id: one.id })
    else shown.unclear.push({ name, participant_ids: people.map(({ id }) => id) })
  }
  return shown
}
