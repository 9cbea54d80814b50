/** A change of a text: replaces a range, and then selects one. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
  /** The selection in the changed text; by default the end of what was inserted. */
  readonly select?: readonly [start: number, end: number]
}

type TextField = HTMLTextAreaElement | HTMLInputElement

/**
 * Changes a field as typing does, so that the browser's undo takes it back. Only the deprecated `execCommand` keeps the
 * history of undo. It fails within another one; then the field changes without.
 */
export function edit(field: TextField, { from, to, insert, select }: Edit): void {
  field.focus()
  field.setSelectionRange(from, to)
  const isChange = from < to || insert !== ''
  if (isChange && !document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert)) {
    field.setRangeText(insert, from, to, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  field.setSelectionRange(...(select ?? [from + insert.length, from + insert.length]))
}
