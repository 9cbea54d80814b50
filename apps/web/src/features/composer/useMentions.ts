import { type OpenMention, openMentionAt, type Participant } from '@collab-spaces/client'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { edit } from '../../shared/browser/edit'
import { useSession } from '../../shared/session/session'
import { candidates, completed, isClosedAfter, remainingMentions } from './mentions'

interface MentionOptions {
  readonly participants: readonly Participant[]
  readonly text: string
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Completes names typed after `@`, and keeps the IDs of the selected participants. */
export function useMentions({ participants, text, field }: MentionOptions) {
  const { account } = useSession()
  const [query, setQuery] = useState<OpenMention | null>(null)
  const [active, setActive] = useState(0)
  const [selected, setSelected] = useState<readonly Participant[]>([])
  /** The blank that the last completion added, until the next change. */
  const blankAt = useRef<number | null>(null)
  const found = query ? candidates(participants, query.typed, account.actorId) : []

  const close = () => setQuery(null)
  const clear = () => {
    setSelected([])
    close()
  }
  const look = ({ value, selectionStart }: HTMLTextAreaElement) => {
    setQuery(openMentionAt(value, selectionStart))
    setActive(0)
  }
  const complete = (participant: Participant) => {
    const { current } = field
    if (!query || !current) return
    setSelected([...selected, participant])
    const done = completed(text, query, participant.name)
    edit(current, done.change)
    blankAt.current = done.blankAt
    close()
  }
  /** Removes the blank after a completed name if punctuation follows. */
  const closeUp = (target: HTMLTextAreaElement) => {
    const { value, selectionStart } = target
    const blank = blankAt.current
    blankAt.current = null
    if (blank === null || !isClosedAfter(value, blank, selectionStart)) return
    edit(target, { from: blank, to: blank + 1, insert: '', select: [blank + 1, blank + 1] })
  }
  /** Returns whether the list of candidates handled the key. */
  const onKey = ({ key }: KeyboardEvent): boolean => {
    const highlighted = found[active]
    if (!highlighted) return false
    if (key === 'ArrowDown') setActive((active + 1) % found.length)
    else if (key === 'ArrowUp') setActive((active + found.length - 1) % found.length)
    else if (key === 'Enter' || key === 'Tab') complete(highlighted)
    else if (key === 'Escape') close()
    else return false
    return true
  }
  return { found, active, meant: remainingMentions(text, selected), look, complete, closeUp, onKey, close, clear }
}
