import { type OpenMention, openMentionAt, type Participant } from '@collab-spaces/client'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { candidates, remainingMentions } from './mentions'

interface MentionOptions {
  readonly participants: readonly Participant[]
  readonly text: string
  readonly setText: (text: string) => void
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Completes names typed after `@`, and keeps the IDs of the selected participants. */
export function useMentions({ participants, text, setText, field }: MentionOptions) {
  const [query, setQuery] = useState<OpenMention | null>(null)
  const [active, setActive] = useState(0)
  const [selected, setSelected] = useState<readonly Participant[]>([])
  const found = query ? candidates(participants, query.typed) : []

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
    const before = `${text.slice(0, query.from)}@${participant.name} `
    const after = text.slice(query.from + 1 + query.typed.length)
    setText(before + after.replace(/^ /, ''))
    close()
    requestAnimationFrame(() => {
      current.focus()
      current.setSelectionRange(before.length, before.length)
    })
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
  return { found, active, meant: remainingMentions(text, selected), look, complete, onKey, close, clear }
}
