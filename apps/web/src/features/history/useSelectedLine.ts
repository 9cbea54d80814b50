import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { shortcutKeyOf, useShortcut } from '../../shared/browser/shortcut'
import type { EventActions } from './EventItem'
import type { Destination } from './history'
import { representsEvent } from './row-events'
import type { Row, ThreadRow, TranscriptRow } from './rows'

interface Lines {
  readonly rows: readonly Row[]
  readonly list: RefObject<VirtualizerHandle | null>
  readonly destination: Destination
  readonly actions: EventActions
  readonly onToggle: (transcript: TranscriptRow) => void
}

/** Returns the selected line and its key handlers: arrows move the selection, letters act on its event. */
export function useSelectedLine({ rows, list, destination, actions, onToggle }: Lines) {
  const [selected, setSelected] = useState<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new destination changes the selection
  useLayoutEffect(() => {
    // A restored scroll position and the newest event select nothing.
    const row = destination.top === null ? rows.find((row) => representsEvent(row, destination.eventId)) : undefined
    setSelected(row?.key ?? null)
  }, [destination.serial])

  const choose = (index: number) => {
    const row = rows[index]
    if (!row) return
    setSelected(row.key)
    list.current?.scrollToIndex(index, { align: 'nearest' })
    focusInFrames(`event-${row.key}`)
  }
  /** A click or tap selects the line and shows its actions. */
  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest('article')?.id
    if (id) setSelected(id.slice('event-'.length))
  }
  const selectedIndex = () => rows.findIndex(({ key }) => key === selected)
  /** Without a selection, the arrows select the newest line. */
  const step = (by: -1 | 1) => {
    const index = selectedIndex()
    choose(index === -1 ? rows.length - 1 : index + by)
  }
  // Without focus, such as after page load, the arrows belong to the history.
  useShortcut('ArrowUp', ({ target }) => isNowhere(target) && step(-1))
  useShortcut('ArrowDown', ({ target }) => isNowhere(target) && step(1))

  const openLast = ({ events }: ThreadRow) => {
    const last = events.at(-1)
    if (last) actions.openThread(last)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a, input, textarea, pre')) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[selectedIndex()]
    const keys: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowUp: () => step(-1),
      ArrowDown: () => step(1),
      ...(row?.kind === 'event' && {
        r: () => actions.reply(row.event),
        t: () => actions.openThread(row.event),
        i: () => actions.showDetails(row.event),
        ...(actions.propose && { p: () => actions.propose?.(row.event) }),
      }),
      ...(row?.kind === 'transcript' && { Enter: () => onToggle(row) }),
      ...(row?.kind === 'thread' && { r: () => openLast(row), t: () => openLast(row), Enter: () => openLast(row) }),
    }
    const act = keys[shortcutKeyOf(event)]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { selected, onFocus, onKeyDown }
}

/** The frames that the list may take to render a line that it scrolled to. */
const MAX_FRAMES = 10

function focusInFrames(id: string, frames = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    const line = document.getElementById(id)
    if (line) line.focus({ preventScroll: true })
    else if (frames > 0) focusInFrames(id, frames - 1)
  })
}

/** Returns whether the target is neither focusable nor inside the history or a panel, as after a button disappeared. */
const isNowhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.tabIndex < 0 && target.closest('[role=log], aside') === null
