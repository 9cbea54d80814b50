import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { edit } from '../../shared/browser/edit'
import { isComposing } from '../../shared/components/composing'
import { type Emoji, emojiNamed, findEmojis, useEmojis } from '../../shared/emoji/emojis'
import { texts } from '../../shared/texts'
import { CandidateList, emojiRow, optionId } from './CandidateList'
import { closedEmojiAt, type OpenEmoji, openEmojiAt } from './emoji-code'
import { useCandidates } from './useCandidates'

const MAX_FOUND = 8
const NONE: readonly Emoji[] = []

/** Completes the names of emoji typed after `:`. Without a connection, they stay text. */
export function EmojiCodes({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const [query, setQuery] = useState<OpenEmoji | null>(null)
  const { data: emojis = NONE } = useEmojis(query !== null)
  const listId = useId()
  const found = query ? findEmojis(emojis, query.typed, MAX_FOUND) : NONE
  const close = () => setQuery(null)
  const complete = ({ emoji }: Emoji) => {
    if (!query || !field.current) return
    edit(field.current, { from: query.from, to: query.from + 1 + query.typed.length, insert: emoji })
    close()
  }
  const { active, restart, onKey } = useCandidates({ found, choose: complete, close })
  const look = useEffectEvent(({ value, selectionStart }: HTMLTextAreaElement) => {
    setQuery(openEmojiAt(value, selectionStart))
    restart()
  })
  /** Replaces a whole name, such as `:tada:`, when its last colon is typed. An undo brings it back. */
  const closeUp = useEffectEvent((target: HTMLTextAreaElement, inputType: string) => {
    const { value, selectionStart } = target
    const code = inputType === 'insertText' ? closedEmojiAt(value, selectionStart) : null
    const named = code && emojiNamed(emojis, code.typed)
    if (named) edit(target, { from: code.from, to: selectionStart, insert: named.emoji })
  })
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing({ nativeEvent: event }) || !onKey(event)) return
    event.preventDefault()
    event.stopPropagation()
  })
  const blur = useEffectEvent(close)
  useEffect(() => {
    const { current } = field
    if (!current) return
    const leaving = new AbortController()
    const { signal } = leaving
    const onInput = (event: Event) => {
      closeUp(current, (event as InputEvent).inputType)
      look(current)
    }
    current.addEventListener('input', onInput, { signal })
    current.addEventListener('select', () => look(current), { signal })
    current.addEventListener('keydown', (event) => handleKey(event), { signal })
    current.addEventListener('blur', () => blur(), { signal })
    return () => leaving.abort()
  }, [field])
  useActiveOption(field, found.length > 0 ? { listId, active } : null)
  if (found.length === 0) return null
  return <CandidateList {...{ id: listId, found, active }} label={texts.emoji} onChoose={complete} row={emojiRow} />
}

interface ActiveOption {
  readonly listId: string
  readonly active: number
}

/** Tells screen readers which option is selected while the focus stays in the field. */
function useActiveOption(field: RefObject<HTMLTextAreaElement | null>, option: ActiveOption | null): void {
  const listId = option?.listId
  const activeId = option && optionId(option.listId, option.active)
  useEffect(() => {
    const { current } = field
    if (!current || !listId || !activeId) return
    current.setAttribute('aria-controls', listId)
    current.setAttribute('aria-activedescendant', activeId)
    return () => {
      current.removeAttribute('aria-controls')
      current.removeAttribute('aria-activedescendant')
    }
  }, [field, listId, activeId])
}
