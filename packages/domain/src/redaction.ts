/** The replacement of a text that was erased. */
export const REDACTED_TEXT = '[redacted]'

/** What an operator can redact by its id: what people wrote there is erased, and its place stays. */
export const REDACTABLES = ['event', 'decision', 'thread', 'link', 'claim', 'space'] as const
export type Redactable = (typeof REDACTABLES)[number]

/** A text that may be missing, erased. */
export const redactedText = (text: string | null): string | null => (text === null ? null : REDACTED_TEXT)
