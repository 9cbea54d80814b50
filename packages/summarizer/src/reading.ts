/** In UTF-16 units: of one message; of all messages before reading gets faster; of one message from then on. */
const OF_ONE = 4_000
const AT_LEISURE = 1_000_000
const OF_ONE_IN_HASTE = 200

/**
 * How much of each message is read for main points and questions. Messages say first what they are about; in a
 * window of ten thousand long ones their beginnings have to do, or summarizing would take a minute.
 */
export class Reading {
  #read = 0

  partOf(text: string): string {
    const most = this.#read < AT_LEISURE ? OF_ONE : OF_ONE_IN_HASTE
    const part = text.slice(0, most).toWellFormed()
    this.#read += part.length
    return text.length > most ? `${part}…` : part
  }
}
