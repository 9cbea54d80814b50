import { currentText, type Event, isInFence, isVisible, LIMITS } from '@collab-spaces/client'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { sendKey } from '../../shared/browser/look'
import { HAS_KEYBOARD } from '../../shared/browser/media'
import { useCell } from '../../shared/cell'
import { IconButton } from '../../shared/components/Button'
import { isComposing } from '../../shared/components/composing'
import { directionOf } from '../../shared/components/direction'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import { excerptOf } from '../../shared/markdown/excerpt'
import { posterInWords } from '../../shared/poster'
import { useNames } from '../../shared/query/names'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { AttachButton } from '../file/AttachButton'
import { Attachments } from '../file/Attachments'
import { attachTexts } from '../file/texts'
import { useAttachments } from '../file/useAttachments'
import { CandidateList, mentionRow, optionId } from './CandidateList'
import styles from './Composer.module.css'
import { type DraftKey, draftOf, keepDraft, readDraft, restored } from './drafts'
import type { Message } from './outbox'
import { useMentionCandidates } from './outsiders'
import { composerTexts } from './texts'
import { useMentions } from './useMentions'

interface ComposerProps {
  readonly place: DraftKey
  readonly label: string
  readonly placeholder: string
  /** The event that is being replied to. */
  readonly replyTo?: Event | null | undefined
  readonly onCancelReply?: (() => void) | undefined
  /** The event whose text is edited, instead of a draft. A composer edits one event: another has another key. */
  readonly editing?: Event | null | undefined
  readonly onCancelEdit?: (() => void) | undefined
  /** Edits the last message. ArrowUp in the empty field does it. */
  readonly onEditLast?: (() => void) | undefined
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean
  /** Moves the focus out of the composer on Escape. */
  readonly onLeave: () => void
  /** Further options for the message, below the field. */
  readonly children?: ReactNode
  readonly onSend: (message: Pick<Message, 'text' | 'mentions' | 'files' | 'place'>) => void
}

const UnclearMentions = lazyPreload(async () => (await import('./UnclearMentions')).UnclearMentions)
const ComposerTools = lazyPreload(async () => (await import('./ComposerTools')).ComposerTools)

/** The field for a new message, with mentions and a draft. */
export function Composer(props: ComposerProps) {
  const { place, label, placeholder, replyTo, onCancelReply, editing, onCancelEdit } = props
  const { hasFocus = false, children, onSend } = props
  const { actorId, spaceId } = place
  const [text, showText] = useState(() => (editing ? currentText(editing) : readDraft(place)))
  // Saves only changes made here: another tab may be editing the same draft.
  const setText = (changed: string) => {
    showText(changed)
    if (!editing) keepDraft(place, changed)
  }
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = draftOf(place)
  const files = useAttachments({ actorId, spaceId, draft, isEnabled: !editing, composer: box })
  const listId = useId()
  const mentions = useMentions({ participants: useMentionCandidates(spaceId), text, field })
  const { found, active } = mentions
  const isEnter = useCell(sendKey) === 'enter'
  // The server counts code points.
  const over = text.length > LIMITS.text ? [...text].length - LIMITS.text : 0
  const canSend = isVisible(text) && over === 0 && !files.hasFailed

  useEffect(() => {
    if (replyTo || hasFocus || editing) field.current?.focus()
    if (editing) field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [replyTo, hasFocus, editing])
  useHeightOf(field, text)
  useRestored(place, () => {
    if (editing) return
    showText(readDraft(place))
    field.current?.focus()
  })

  const onChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    setText(target.value)
    mentions.closeUp(target)
    mentions.look(target)
  }
  const send = () => {
    if (!canSend) return
    onSend({ text: withoutBlankEnds(text), mentions: mentions.meant, files: files.take(), place })
    setText('')
    mentions.clear()
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return
    if (mentions.onKey(event)) {
      event.preventDefault()
      event.stopPropagation()
    } else onOwnKey(event, props, send)
  }
  const isOpen = found.length > 0
  return (
    <div className={styles.composer}>
      {isOpen && (
        <CandidateList
          {...{ id: listId, found, active }}
          label={composerTexts.mentions}
          onChoose={mentions.complete}
          row={mentionRow}
        />
      )}
      <div ref={box} className={styles.box}>
        <Subject {...{ editing, onCancelEdit, replyTo, onCancelReply }} />
        <Attachments queue={files.queue} uploads={files.uploads} text={text} />
        <div className={styles.line}>
          <textarea
            ref={field}
            dir={directionOf(text)}
            className={styles.field}
            rows={1}
            value={text}
            placeholder={placeholder}
            aria-label={label}
            title={HAS_KEYBOARD ? composerTexts.hint(isEnter) : undefined}
            enterKeyHint={HAS_KEYBOARD && isEnter ? 'send' : 'enter'}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? optionId(listId, active) : undefined}
            onChange={onChange}
            onPaste={files.onPaste}
            onKeyDown={onKeyDown}
            onSelect={(event) => mentions.look(event.currentTarget)}
            onBlur={mentions.close}
          />
          <Suspense fallback={<span className={styles.place} />}>
            <ComposerTools {...{ field, place, text }} onDraft={editing ? undefined : showText} />
          </Suspense>
          {!editing && <AttachButton onFiles={files.add} />}
          <SendButton isDisabled={!canSend} onClick={send} />
        </div>
        {files.isDropping && <div className={styles.drop}>{attachTexts.drop}</div>}
      </div>
      {children}
      <Suspense>{!isOpen && <UnclearMentions {...{ spaceId, text }} selectedIds={mentions.meant} />}</Suspense>
      {over > 0 && <TooLong over={over} />}
    </div>
  )
}

const TooLong = ({ over }: { readonly over: number }) => (
  <p className={styles.over} role="alert">
    {composerTexts.tooLong(over)}
  </p>
)

/** Keeps the indentation of the first line, which may be code. */
const withoutBlankEnds = (text: string) => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()

/** Handles a key that no list of candidates takes: Escape, ArrowUp in an empty field, or Enter. */
function onOwnKey(event: KeyboardEvent<HTMLTextAreaElement>, props: ComposerProps, send: () => void): void {
  const { editing, onCancelEdit, replyTo, onCancelReply, onLeave, onEditLast } = props
  const { value } = event.currentTarget
  if (event.key === 'Escape') {
    event.stopPropagation()
    // The next Escape is for the surroundings, such as the panel of a thread.
    if (editing) onCancelEdit?.()
    else if (replyTo) onCancelReply?.()
    else onLeave()
  }
  if (event.key === 'ArrowUp' && value === '' && onEditLast) {
    event.preventDefault()
    onEditLast()
  }
  if (event.key === 'Enter' && sendsAt(event, value)) {
    event.preventDefault()
    send()
  }
}

/**
 * Returns whether Enter sends the text. With Ctrl or ⌘, it always does. Alone, it does unless the setting says otherwise,
 * but neither on a touch keyboard, which has no Shift+Enter, nor in an open code block.
 */
function sendsAt({ ctrlKey, metaKey, shiftKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>, text: string) {
  if (ctrlKey || metaKey) return true
  if (sendKey.value !== 'enter') return false
  return HAS_KEYBOARD && !shiftKey && !isInFence(text.slice(0, currentTarget.selectionStart))
}

function SendButton({ isDisabled, onClick }: { readonly isDisabled: boolean; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      className={styles.send}
      aria-label={composerTexts.send}
      title={composerTexts.send}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name="send" />
    </button>
  )
}

type SubjectProps = Pick<ComposerProps, 'editing' | 'onCancelEdit' | 'replyTo' | 'onCancelReply'>

/** The event that the message edits, or replies to. */
function Subject({ editing, onCancelEdit, replyTo, onCancelReply }: SubjectProps) {
  if (editing) {
    return (
      <About event={editing} icon="edit" onCancel={onCancelEdit} cancel={composerTexts.cancelEdit}>
        {composerTexts.editing}
      </About>
    )
  }
  if (!replyTo) return null
  return (
    <About event={replyTo} icon="reply" onCancel={onCancelReply} cancel={composerTexts.cancelReply}>
      {composerTexts.replyingTo(posterInWords(replyTo))}
    </About>
  )
}

interface AboutProps {
  readonly event: Event
  readonly icon: 'reply' | 'edit'
  readonly onCancel: (() => void) | undefined
  /** The label of the button that cancels. */
  readonly cancel: string
  readonly children: string
}

function About({ event, icon, onCancel, cancel, children }: AboutProps) {
  const names = useNames(event.space_id)
  return (
    <div className={styles.reply}>
      <Icon name={icon} size={14} />
      <strong className={styles.replyTo}>{children}</strong>
      <OneLine className={styles.replyWords}>{excerptOf(event, names)}</OneLine>
      <IconButton size="small" icon="close" label={cancel} onClick={() => onCancel?.()} />
    </div>
  )
}

/** Calls back when a text is put back as the draft of a place. */
function useRestored(place: DraftKey, onRestored: () => void): void {
  useEffect(() =>
    restored.subscribe(() => {
      if (restored.value && draftOf(restored.value) === draftOf(place)) onRestored()
    }),
  )
}

/** Resizes a field to the height of its text, up to the limit in the styles. */
function useHeightOf(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is that of the text
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])
}
