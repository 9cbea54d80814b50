/** The replacement of a text that was erased. */
export const REDACTED_TEXT = '[redacted]'

/** The replacement of an action that was erased. No action has its digest, so it cannot be used. */
export const REDACTED_ACTION = {
  type: REDACTED_TEXT,
  title: null,
  arguments: {},
  digest: REDACTED_TEXT,
  editable: false,
  used_by: [],
} as const

/** The replacement of the edit of an action. */
export const REDACTED_EDIT = { arguments: {}, digest: REDACTED_TEXT } as const

/** What an operator can redact by its id: what people wrote there is erased, and its place stays. */
export const REDACTABLES = ['event', 'decision', 'thread', 'link', 'claim', 'space'] as const
export type Redactable = (typeof REDACTABLES)[number]

/** A text that may be missing, erased. */
export const redactedText = (text: string | null): string | null => (text === null ? null : REDACTED_TEXT)
