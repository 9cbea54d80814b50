import type { Event, Mentionable } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import type { Names } from '../query/names'
import { texts } from '../texts'
import { mentionMarks, withMarks } from './marks'
import { plainText } from './plain'

/** Returns the plain text of an event, with isolated names, which must not affect the direction of the text. */
export function excerptOf(event: Event, names: Pick<Names, 'find'>): ReactNode {
  if (event.redacted_at) return texts.erased
  return withMarks(plainText(event.text), mentionMarks(mentionedIn(event, names), isolated))
}

const isolated = (name: string) => <bdi>{name}</bdi>

/** Returns the mentioned actors whose names are known. */
export function mentionedIn({ metadata }: Event, names: Pick<Names, 'find'>): readonly Mentionable[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => names.find(id) ?? [])
    .map(({ actorId, name }) => ({ id: actorId, name }))
}
