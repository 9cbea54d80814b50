import type { Event, Mentionable } from '@collab-spaces/client'
import type { Names } from '../query/names'

/** Lists the actors that an event mentions and whose names are known. */
export function mentionedIn({ metadata }: Event, names: Pick<Names, 'find'>): readonly Mentionable[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => names.find(id) ?? [])
    .map(({ actorId, name }) => ({ id: actorId, name }))
}
