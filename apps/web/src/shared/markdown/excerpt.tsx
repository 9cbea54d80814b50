import { type Event, type ExcerptSource, excerptParts, type Mentionable } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import type { Names } from '../query/names'
import { texts } from '../texts'
import { mentionMarks, withMarks } from './marks'
import { plainText } from './plain'

/** Returns an event in one line of plain text: beside little text, with the names of its files. */
export function excerptLine(event: ExcerptSource<{ readonly file_id: string; readonly name: string }>): string {
  if (event.redacted_at) return texts.erased
  if (event.retracted_by) return texts.retracted
  const { text, files } = excerptParts(event)
  if (files === null) return plainText(text)
  const named = texts.files(files.first, files.others)
  return text === '' ? texts.sent(named) : `${plainText(text)} (${named})`
}

/** Returns the same with isolated names, which must not affect the direction of the text. */
export const excerptOf = (event: Event, names: Pick<Names, 'find'>): ReactNode =>
  withMarks(excerptLine(event), mentionMarks(mentionedIn(event, names), isolated))

const isolated = (name: string) => <bdi>{name}</bdi>

/** Returns the IDs of the mentioned actors. */
export function mentionIdsOf({ metadata }: Event): readonly string[] {
  const ids: unknown = metadata?.mentions
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** Returns the mentioned actors whose names are known. */
export const mentionedIn = (event: Event, names: Pick<Names, 'find'>): readonly Mentionable[] =>
  mentionIdsOf(event)
    .flatMap((id) => names.find(id) ?? [])
    .map(({ actorId, name }) => ({ id: actorId, name }))
