import { type OpenMention, openMentionAt } from '@collab-spaces/client'
import { type RefObject, useRef, useState } from 'react'
import { edit } from '../../shared/browser/edit'
import { useSession } from '../../shared/session/session'
import {
  candidates as candidatesFor,
  completed,
  isClosedAfter,
  type MentionCandidate,
  remainingMentions,
} from './mentions'
import { useCandidates } from './useCandidates'

interface MentionOptions {
  readonly participants: readonly MentionCandidate[]
  readonly text: string
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Completes names typed after `@`, and keeps the IDs of the selected participants. */
export function useMentions({ participants, text, field }: MentionOptions) {
  const { account } = useSession()
  const [query, setQuery] = useState<OpenMention | null>(null)
  const [selected, setSelected] = useState<readonly MentionCandidate[]>([])
  /** The blank that the last completion added, until the next change. */
  const blankAt = useRef<number | null>(null)
  const found = query ? candidatesFor(participants, query.typed, account.actorId) : []

  const close = () => setQuery(null)
  const clear = () => {
    setSelected([])
    close()
  }
  const complete = (participant: MentionCandidate) => {
    const { current } = field
    if (!query || !current) return
    if (!participant.isOutside) setSelected([...selected, participant])
    const done = completed(text, query, participant.name)
    edit(current, done.change)
    blankAt.current = done.blankAt
    close()
  }
  const candidates = useCandidates({ found, choose: complete, close })
  const look = ({ value, selectionStart }: HTMLTextAreaElement) => {
    setQuery(openMentionAt(value, selectionStart))
    candidates.restart()
  }
  /** Removes the blank after a completed name if punctuation follows. */
  const closeUp = (target: HTMLTextAreaElement) => {
    const { value, selectionStart } = target
    const blank = blankAt.current
    blankAt.current = null
    if (blank === null || !isClosedAfter(value, blank, selectionStart)) return
    edit(target, { from: blank, to: blank + 1, insert: '', select: [blank + 1, blank + 1] })
  }
  const { active, onKey } = candidates
  return { found, active, meant: remainingMentions(text, selected), look, complete, closeUp, onKey, close, clear }
}
