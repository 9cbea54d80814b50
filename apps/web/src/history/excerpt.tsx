import type { Event } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { mentionMarks, withMarks } from '../markdown/marks'
import { plainText } from '../markdown/plain'
import type { Names } from '../query/names'
import { texts } from '../texts'
import { mentionedIn } from './mentioned'

/**
 * The first words of what was said, for places with room for a few. The names that it mentions keep to themselves: in
 * whatever script they are, they do not say in which direction the words are written.
 */
export function excerptOf(event: Event, names: Pick<Names, 'find'>): ReactNode {
  if (event.redacted_at) return texts.history.erased
  return withMarks(plainText(event.text), mentionMarks(mentionedIn(event, names), isolated))
}

const isolated = (name: string) => <bdi>{name}</bdi>
