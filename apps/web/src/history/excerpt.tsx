import type { Event } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { namePattern } from '../composer/mentions'
import { withMarks } from '../markdown/Markdown'
import { plainText } from '../markdown/plain'
import { texts } from '../texts'
import { namesMentioned, type People } from './people'

/**
 * The first words of what was said, for places with room for a few. The names that it mentions keep to themselves: in
 * whatever script they are, they do not say in which direction the words are written.
 */
export function excerptOf(event: Event, people: Pick<People, 'find'>): ReactNode {
  if (event.redacted_at) return texts.history.erased
  const names = namesMentioned(event, people)
  const marks = names.length === 0 ? null : { pattern: namePattern(names), render: isolated }
  return withMarks(plainText(event.text), marks)
}

const isolated = (name: string) => <bdi>{name}</bdi>
