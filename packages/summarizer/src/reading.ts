import { cutText } from '@collab-spaces/domain'

/** The characters read of a message, at first and after a total has been read. */
const MESSAGE_LIMIT = 4_000
const LOWERED_AFTER = 1_000_000
const LOWERED_LIMIT = 200

/**
 * Limits the text of each message that is read for main points and questions. Messages usually start with their
 * subject. In a window of ten thousand long messages only their starts are read, as summarizing would take a minute
 * otherwise.
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
