/** The replacement of a text that was erased. */
export const REDACTED_TEXT = '[redacted]'

/** The texts that an operator can erase in place, each by its id: a space's are those of its title and description. */
const REDACTABLE = ['event', 'decision', 'thread', 'link', 'space'] as const
export type Redactable = (typeof REDACTABLE)[number]

/** A text that may be missing, erased. */
export const redactedText = (text: string | null): string | null => (text === null ? null : REDACTED_TEXT)
