import type { ConnectionOptions } from '@collab-spaces/db'
import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { loadPastTexts, type PastText } from '@collab-spaces/testing/history'

export interface Past {
  readonly count: number
  /** The text of event `n`; the first is 1. */
  readonly text: (n: number) => string
  /** The metadata of every event, which makes a history large without being searched. */
  readonly metadata?: Record<string, string>
  /** Seconds between one event and the next; the last one is now. */
  readonly every?: number
}

/** Writes a history of one author into a space past the API, as the service would have written it. */
export const fillSpace = (connection: ConnectionOptions, space: string, author: Actor, past: Past): Promise<void> =>
  loadPastTexts(connection, spaceIdOf(space), author, saidIn(past))

function* saidIn({ count, text, metadata, every = 0 }: Past): Generator<PastText> {
  const now = Date.now()
  for (let n = 1; n <= count; n++) {
    yield { time: now - (count - n) * every * 1_000, text: text(n), metadata: metadata ?? null }
  }
}
