import { isInFence } from '@collab-spaces/client'
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { edit } from '../../shared/browser/edit'
import { formatBar } from '../../shared/browser/look'
import { isCommand, shortcutKeyOf } from '../../shared/browser/shortcut'
import { useCell } from '../../shared/cell'
import { IconButton } from '../../shared/components/Button'
import { isComposing } from '../../shared/components/composing'
import { continuationAt } from './continuation'
import { type DraftKey, keyOf } from './drafts'
import { EmojiCodes } from './EmojiCodes'
import { FormatBar } from './FormatBar'
import { type Format, formatted, isAddress, linked, type SelectedText } from './format'
import { MessagePreview } from './MessagePreview'
import { composerTexts } from './texts'
import { toMarkdown } from './to-markdown'

interface ComposerToolsProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly place: DraftKey
  readonly text: string
  /** Called with the draft that another tab has changed. Undefined while a message is edited. */
  readonly onDraft: ((text: string) => void) | undefined
}

/** What a composer has beyond a text field, loaded after the first view: lists, formats, emoji, paste of rich text, a preview. */
export function ComposerTools({ field, place, text, onDraft }: ComposerToolsProps) {
  const isBarShown = useCell(formatBar) === 'shown'
  const [isPreviewed, setIsPreviewed] = useState(false)
  useEffect(() => {
    const { current } = field
    if (!current) return
    const leaving = new AbortController()
    const { signal } = leaving
    current.addEventListener('input', (event) => continueLine(current, event as InputEvent), { signal })
    current.addEventListener('keydown', (event) => formatByKey(current, event), { signal })
    current.addEventListener('paste', (event) => paste(current, event), { signal })
    return () => leaving.abort()
  }, [field])
  useEffect(() => {
    const follow = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key !== keyOf(place) || field.current?.value !== (oldValue ?? '')) return
      // The next change of the other tab may follow before a render.
      flushSync(() => onDraft?.(newValue ?? ''))
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  })
  return (
    <>
      <IconButton
        icon="format"
        label={composerTexts.formatBar}
        aria-pressed={isBarShown}
        onClick={() => formatBar.set(isBarShown ? 'hidden' : 'shown')}
      />
      {isBarShown && (
        <FormatBar
          onFormat={(format) => field.current && applyFormat(field.current, format)}
          isPreviewed={isPreviewed}
          onPreview={setIsPreviewed}
        />
      )}
      <EmojiCodes field={field} />
      {isBarShown && isPreviewed && <MessagePreview spaceId={place.spaceId} text={text} />}
    </>
  )
}

/** Continues a line after it was broken. The key may be unknown: touch keyboards report none. */
function continueLine(field: HTMLTextAreaElement, { inputType }: InputEvent): void {
  if (inputType !== 'insertLineBreak') return
  const change = continuationAt(field.value, field.selectionStart)
  if (change) edit(field, change)
}

const KEYS: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic', e: 'code', k: 'link' }
/** By the place of a key, as Shift changes its character in each layout differently. */
const SHIFT_KEYS: Readonly<Record<string, Format>> = {
  KeyX: 'strike',
  Digit7: 'numbers',
  Digit8: 'list',
  Digit9: 'quote',
}

function formatByKey(field: HTMLTextAreaElement, event: KeyboardEvent): void {
  if (!isCommand(event) || isComposing({ nativeEvent: event })) return
  const format = event.shiftKey ? SHIFT_KEYS[event.code] : KEYS[shortcutKeyOf(event).toLowerCase()]
  // Without words for a link, the key opens the palette.
  if (!format || (format === 'link' && field.selectionStart === field.selectionEnd)) return
  event.preventDefault()
  event.stopPropagation()
  applyFormat(field, format)
}

const applyFormat = (field: HTMLTextAreaElement, format: Format): void =>
  edit(field, formatted(selectedIn(field), format))

/** Links the selection to a pasted address, and turns rich text into Markdown. Anything else is pasted as it is. */
function paste(field: HTMLTextAreaElement, event: ClipboardEvent): void {
  const plain = event.clipboardData?.getData('text/plain') ?? ''
  const selected = selectedIn(field)
  // Without a text, it is a file. Code is pasted as it is.
  if (plain === '' || isInFence(field.value.slice(0, selected.start))) return
  const change = linked(selected, plain) ?? richText(selected, plain, event.clipboardData?.getData('text/html') ?? '')
  if (!change) return
  event.preventDefault()
  edit(field, change)
}

function richText({ start, end }: SelectedText, plain: string, html: string) {
  // Some browsers copy an address with the title of its page.
  if (html === '' || isAddress(plain.trim())) return null
  const insert = toMarkdown(html)
  return insert === null || insert === '' ? null : { from: start, to: end, insert }
}

const selectedIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): SelectedText => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
})
