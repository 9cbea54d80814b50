import { cutText } from '@collab-spaces/domain'

/** How much of a message is read at first, and how much once all that was read has reached a total, in characters. */
const MESSAGE_LIMIT = 4_000
const LOWERED_AFTER = 1_000_000
const LOWERED_LIMIT = 200

/**
 * How much of each message is read for main points and questions. Messages usually start with what they are about. In a
 * window of ten thousand long messages only their starts are read, as summarizing would take a minute otherwise.
 */
export class Reading {
  #read = 0

  partOf(text: string): string {
    const most = this.#read < LOWERED_AFTER ? MESSAGE_LIMIT : LOWERED_LIMIT
    const part = cutText(text, most).toWellFormed()
    this.#read += part.length
    return part.length < text.length ? `${part}…` : part
  }
}
