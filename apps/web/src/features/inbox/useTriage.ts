import { useCallback, useLayoutEffect, useRef } from 'react'
import { useShortcut } from '../../shared/browser/shortcut'
import type { DoneMarks } from '../../shared/query/done'
import { useDone } from '../../shared/query/inbox'
import { type Entry, markOf, nextAfter } from './groups'

/** Returns the row of an entry. */
const rowOf = (key: string) => document.getElementById(`waits-${key}`)

/**
 * Marks entries of a list as done and undoes that. The focus moves to the next entry, to a restored one, or to the
 * empty state of the list. Rows have the ID `waits-<key>`.
 */
export function useTriage(entries: readonly Entry[], onChosen: (key: string | null) => void = () => {}) {
  const { queue, undoable } = useDone()
  const nothing = useRef<HTMLDivElement>(null)
  /** The pending focus target: a row, or null for the empty state. */
  const wanted = useRef<{ readonly key: string | null } | null>(null)

  useLayoutEffect(() => {
    if (!wanted.current) return
    const { key } = wanted.current
    wanted.current = null
    // A restored entry may be below the part that the list shows.
    const target = (key === null ? null : rowOf(key)) ?? rowOf(entries[0]?.key ?? '') ?? nothing.current
    target?.focus()
  })

  const go = (key: string | null) => {
    wanted.current = { key }
    onChosen(key)
  }
  const done = (entry: Entry) => {
    const marked = markOf(entry)
    if (!marked) return
    go(nextAfter(entries, entry)?.key ?? null)
    queue.add(marked)
  }
  /** Moves on from an entry that leaves the list without a done mark. */
  const leave = (entry: Entry) => {
    const index = entries.indexOf(entry)
    go((entries[index + 1] ?? entries[index - 1])?.key ?? null)
  }
  const allDone = (marked: DoneMarks) => {
    go(entries.find((entry) => markOf(entry) === null)?.key ?? null)
    queue.add(marked)
  }
  const undo = useCallback(() => {
    const undone = queue.undo()
    if (!undone) return false
    const key = undone.notices[0] ?? undone.through[0]?.event_id ?? null
    wanted.current = { key }
    onChosen(key)
    return true
  }, [queue, onChosen])
  useShortcut('z', undo)
  /** Moves the focus to a row after a focused element unmounted. */
  const restore = () => {
    if (document.activeElement !== document.body) return
    const rows = ['[id^="waits-"][aria-current]', '[id^="waits-"]']
    const row = rows.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null)
    ;(row ?? nothing.current)?.focus()
  }
  return { focus: { nothing, restore }, done, leave, allDone, undo, undoable, flush: () => queue.flush() }
}
