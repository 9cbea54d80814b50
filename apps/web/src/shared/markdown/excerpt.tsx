import type { Event, Mentionable } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import type { Names } from '../query/names'
import { texts } from '../texts'
import { mentionMarks, withMarks } from './marks'
import { plainText } from './plain'

/**
 * The first words of what was said, for places with room for a few. The names that it mentions keep to themselves: in
 * whatever script they are, they do not say in which direction the words are written.
 */
export function excerptOf(event: Event, names: Pick<Names, 'find'>): ReactNode {
  if (event.redacted_at) return texts.erased
  return withMarks(plainText(event.text), mentionMarks(mentionedIn(event, names), isolated))
}

const isolated = (name: string) => <bdi>{name}</bdi>

/** Lists the actors that an event mentions and whose names are known. */
export function mentionedIn({ metadata }: Event, names: Pick<Names, 'find'>): readonly Mentionable[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => names.find(id) ?? [])
    .map(({ actorId, name }) => ({ id: actorId, name }))
}
