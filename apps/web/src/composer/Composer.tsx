import { type Event, LIMITS, type Participant } from '@collab-spaces/client'
import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../components/Button'
import { posterInWords } from '../components/claim'
import { isComposing } from '../components/composing'
import { Icon } from '../components/Icon'
import { texts } from '../texts'
import styles from './Composer.module.css'
import { type DraftPlace, keepDraft, readDraft } from './drafts'
import { MentionList, optionId } from './MentionList'
import { candidates, type MentionQuery, mentionAt, stillMeant } from './mentions'
import type { Message } from './outbox'
import { UnclearMentions } from './UnclearMentions'

interface ComposerProps {
  readonly place: DraftPlace
  readonly label: string
  readonly placeholder: string
  readonly participants: readonly Participant[]
  /** What is being replied to. */
  readonly replyTo?: Event | null | undefined
  readonly onCancelReply?: (() => void) | undefined
  /** Whether the keyboard comes here when it appears. */
  readonly hasFocus?: boolean
  readonly onSend: (message: Pick<Message, 'text' | 'mentions'>) => void
}

/** Where messages are written. */
export function Composer(props: ComposerProps) {
  const { place, label, placeholder, participants, replyTo, onCancelReply, hasFocus = false, onSend } = props
  const { actorId, spaceId, threadOf } = place
  const [text, setText] = useState(() => readDraft(place))
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [active, setActive] = useState(0)
  const [chosen, setChosen] = useState<readonly Participant[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const found = query ? candidates(participants, query.words) : []
  // As the server counts: in code points.
  const over = text.length > LIMITS.text ? [...text].length - LIMITS.text : 0

  useEffect(() => keepDraft({ actorId, spaceId, threadOf }, text), [actorId, spaceId, threadOf, text])
  useEffect(() => {
    if (replyTo || hasFocus) field.current?.focus()
  }, [replyTo, hasFocus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as high as its text, up to the limit in the styles
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  const look = ({ value, selectionStart }: HTMLTextAreaElement) => {
    setQuery(mentionAt(value, selectionStart))
    setActive(0)
  }
  const onChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    setText(target.value)
    look(target)
  }
  const send = () => {
    const trimmed = text.trim()
    if (trimmed === '' || over > 0) return
    onSend({ text: trimmed, mentions: stillMeant(trimmed, chosen) })
    setText('')
    setChosen([])
    setQuery(null)
    field.current?.focus()
  }
  const complete = (participant: Participant) => {
    if (!query || !field.current) return
    const { name } = participant
    setChosen([...chosen, participant])
    const end = query.from + 1 + query.words.length
    const before = `${text.slice(0, query.from)}@${name} `
    setText(before + text.slice(end).replace(/^ /, ''))
    setQuery(null)
    const { current } = field
    requestAnimationFrame(() => {
      current.focus()
      current.setSelectionRange(before.length, before.length)
    })
  }
  const onListKey = (event: KeyboardEvent): boolean => {
    const highlighted = found[active]
    if (!highlighted) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length)
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') complete(highlighted)
    else if (event.key === 'Escape') setQuery(null)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (onListKey(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      // The next one is for what stands around it, such as the panel of a thread.
      if (replyTo) onCancelReply?.()
      else field.current?.blur()
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
  }
  const isOpen = found.length > 0
  return (
    <div className={styles.composer}>
      {isOpen && <MentionList id={listId} found={found} active={active} onChoose={complete} />}
      <div className={styles.box}>
        {replyTo && (
          <div className={styles.reply}>
            <Icon name="reply" size={14} />
            <span className={styles.replyWords}>
              <strong>{texts.composer.replyingTo(posterInWords(replyTo))}</strong> {replyTo.text.slice(0, 120)}
            </span>
            <IconButton
              size="small"
              icon="close"
              label={texts.composer.cancelReply}
              onClick={() => onCancelReply?.()}
            />
          </div>
        )}
        <div className={styles.line}>
          <textarea
            ref={field}
            className={styles.field}
            rows={1}
            value={text}
            placeholder={placeholder}
            aria-label={label}
            title={texts.composer.hint}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? optionId(listId, active) : undefined}
            onChange={onChange}
            onKeyDown={onKeyDown}
            onSelect={(event) => look(event.currentTarget)}
            onBlur={() => setQuery(null)}
          />
          <button
            type="button"
            className={styles.send}
            aria-label={texts.composer.send}
            title={texts.composer.send}
            disabled={text.trim() === '' || over > 0}
            onClick={send}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
      {!isOpen && <UnclearMentions spaceId={spaceId} text={text} meant={stillMeant(text, chosen)} />}
      {over > 0 && (
        <p className={styles.over} role="alert">
          {texts.composer.tooLong(over)}
        </p>
      )}
    </div>
  )
}
