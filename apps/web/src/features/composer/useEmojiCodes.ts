import { type RefObject, useState } from 'react'
import { edit } from '../../shared/browser/edit'
import { type Emoji, emojiNamed, findEmojis, useEmojis } from '../../shared/emoji/emojis'
import { closedEmojiAt, type OpenEmoji, openEmojiAt } from './emoji-code'
import { useCandidates } from './useCandidates'

const MAX_FOUND = 8
const NONE: readonly Emoji[] = []

/** Completes the names of emoji typed after `:`. Without a connection, they stay text. */
export function useEmojiCodes(field: RefObject<HTMLTextAreaElement | null>) {
  const [query, setQuery] = useState<OpenEmoji | null>(null)
  const { data: emojis = NONE } = useEmojis(query !== null)
  const found = query ? findEmojis(emojis, query.typed, MAX_FOUND) : NONE
  const close = () => setQuery(null)
  const complete = ({ emoji }: Emoji) => {
    if (!query || !field.current) return
    edit(field.current, { from: query.from, to: query.from + 1 + query.typed.length, insert: emoji })
    close()
  }
  const candidates = useCandidates({ found, choose: complete, close })
  const look = ({ value, selectionStart }: HTMLTextAreaElement) => {
    setQuery(openEmojiAt(value, selectionStart))
    candidates.restart()
  }
  /** Replaces a whole name, such as `:tada:`, when its last colon is typed. An undo brings it back. */
  const closeUp = (target: HTMLTextAreaElement, { inputType }: Pick<InputEvent, 'inputType'>) => {
    const { value, selectionStart } = target
    const code = inputType === 'insertText' ? closedEmojiAt(value, selectionStart) : null
    const named = code && emojiNamed(emojis, code.typed)
    if (named) edit(target, { from: code.from, to: selectionStart, insert: named.emoji })
  }
  return { found, active: candidates.active, onKey: candidates.onKey, look, closeUp, complete, close }
}
