/** The replacement of a text that was erased. */
export const REDACTED_TEXT = '[redacted]'

/** The texts that an operator can erase in place, each by its id: a space's are those of its title and description. */
export type Redactable = 'event' | 'decision' | 'thread' | 'link' | 'space'

/** A text that may be missing, erased. */
export const redactedText = (text: string | null): string | null => (text === null ? null : REDACTED_TEXT)
