import { findInlineMentions, type Mentionable, NameIndex } from '@collab-spaces/client'
import { Fragment, type ReactNode } from 'react'

/** Pieces of a text that are rendered differently. */
export interface Marks {
  readonly find: (text: string) => readonly Piece[]
  readonly render: (found: string) => ReactNode
  /** Whether they apply in quotations, too. */
  readonly inQuotations: boolean
}

interface Piece {
  readonly from: number
  readonly to: number
}

/** Marks mentions of the actors. Quotations contain no mentions. */
export function mentionMarks(actors: readonly Mentionable[], render: Marks['render']): Marks | null {
  if (actors.length === 0) return null
  const names = new NameIndex().add(actors)
  const find = (text: string) => findInlineMentions(text, names).filter(({ people }) => people.length > 0)
  return { find, render, inQuotations: false }
}

/** Marks matches of a global pattern. */
export function patternMarks(pattern: RegExp, render: Marks['render']): Marks {
  const find = (text: string) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length }))
  return { find, render, inQuotations: true }
}

/** Renders a text with its marks. `before` and `after` are adjacent text, into which no mark may extend. */
export function withMarks(text: string, marks: Marks | null, before = '', after = ''): ReactNode {
  if (!marks) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const piece of marks.find(before + text + after)) {
    const [from, to] = [piece.from - before.length, piece.to - before.length]
    if (from < end || to > text.length) continue
    parts.push(text.slice(end, from))
    parts.push(<Fragment key={from}>{marks.render(text.slice(from, to))}</Fragment>)
    end = to
  }
  return end === 0 ? text : [...parts, text.slice(end)]
}
