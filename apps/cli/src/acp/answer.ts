import { cutText, endOfText, isVisible, LIMITS } from '@collab-spaces/client'
import type { Update } from './update.js'

/** An answer that says nothing. */
export const NO_ANSWER = 'NO ANSWER'

const CUT = '\n… (cut)'

/** The words of an agent so far, which become one event: they are never longer than an event can be. */
export class Answer {
  #text = ''
  #messageId: string | null = null
  #isBroken = false

  add(update: Update): void {
    if (update.kind === 'tool') this.#isBroken = true
    if (update.kind !== 'text') return
    if (update.messageId !== this.#messageId) this.#isBroken = true
    this.#messageId = update.messageId
    // A message begins a paragraph of its own.
    const before = this.#isBroken && this.#text !== '' ? '\n\n' : ''
    this.#isBroken = false
    // Twice as many as it can have code points: the rest is cut in any case.
    if (this.#text.length <= 2 * LIMITS.text) this.#text += before + update.text
  }

  /** Its last line, as it stands now. */
  get lastLine(): string {
    return endOfText(this.#text, 500).trimEnd().split('\n').at(-1) ?? ''
  }

  /** The text of the event; null where nothing is to be said. */
  get text(): string | null {
    const text = sendable(this.#text).trim()
    if (!isVisible(text) || text.replace(/[\s.*"`]+$|^[\s*"`]+/g, '') === NO_ANSWER) return null
    const isWhole = cutText(text, LIMITS.text) === text
    return isWhole ? text : cutText(text, LIMITS.text - CUT.length) + CUT
  }
}

/** Without what no text of the service may contain: NUL, and halves of characters. */
export const sendable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
