import { conflict, invalid } from './errors.js'
import { LIMITS } from './limits.js'

/** Unicode recommends these sequences for interchange; each is one grapheme cluster, at most 35 bytes long. */
const RECOMMENDED = /^\p{RGI_Emoji}$/v
/** A character that is an emoji only before a variation selector or a skin tone. */
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu
const EMOJI_SELECTOR = '\u{fe0f}'
const SELECTORS = /[\u{fe0e}\u{fe0f}]/gu

/** Returns the fully qualified form of an emoji, so that all spellings are one reaction. 400 for any other text. */
export function emojiOf(text: string): string {
  const qualified = text.replaceAll(SELECTORS, '').replaceAll(TEXT_BY_DEFAULT, `$&${EMOJI_SELECTOR}`)
  if (!RECOMMENDED.test(qualified)) throw invalid('emoji', 'must be a single emoji, such as 👍')
  return qualified
}

/** The reactions to an event before another one. */
export interface ReactionCounts {
  readonly hasEmoji: boolean
  readonly emojis: number
  readonly reactions: number
}

/** 409 beyond the limits of an event, which bound what each page of events shows. */
export function requireCanReact({ hasEmoji, emojis, reactions }: ReactionCounts): void {
  if (!hasEmoji && emojis >= LIMITS.reactionEmojis) {
    throw conflict(`The event has ${LIMITS.reactionEmojis} different reactions already; choose one of them`)
  }
  if (reactions >= LIMITS.reactions) throw conflict(`The event has ${LIMITS.reactions} reactions already`)
}

export const redactedEvent = () => conflict('The event was redacted')
