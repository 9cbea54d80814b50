import type { Client, Event, SpaceAct, StreamOptions } from '@collab-spaces/client'
import type { Live } from '../../shared/live/live'

/** The cursor before the first event. */
export const BEGINNING = ''

export type HistorySource = ReturnType<typeof historySource>

/** Returns the calls by which a history is read. */
export const historySource = (client: Client, live: Live, space_id: string) => ({
  /** The newest events. */
  tail: (limit: number): Promise<Event[]> => client.event.list.query({ space_id, tail: true, limit }),
  /** The events before a cursor. */
  before: (before: string, limit: number): Promise<Event[]> => client.event.list.query({ space_id, before, limit }),
  /** The events after a cursor or the `BEGINNING`. */
  since: (after: string, limit: number): Promise<Event[]> =>
    client.event.list.query({ space_id, limit, ...(after !== BEGINNING && { since: after }) }),
  get: (event_id: string): Promise<Event> => client.event.get.query({ space_id, event_id }),
  /** The ID of the first event at a time or later; null if there is none. */
  firstFrom: (time: string) => client.rest('event.transcript', { space_id, start: time }, { read: firstEventId }),
  /** The acts on the space and its decisions. Cursors are their positions. */
  acts: {
    tail: (limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, tail: true, limit }),
    before: (before: number, limit: number): Promise<SpaceAct[]> =>
      client.space.acts.query({ space_id, before, limit }),
    since: (since: number, limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, since, limit }),
    /** The first acts at a time or later. */
    from: (start: string, limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, start, limit }),
  },
  stream: (options: StreamOptions) => live.events(space_id, options),
})

const EVENT_ID = /^\[\{"event_id":"([^"]+)"/

/** Reads a transcript only up to its first event ID: it may be arbitrarily long. */
async function firstEventId({ body }: Response): Promise<string | null> {
  if (!body) return null
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of chunksOf(body)) {
    text += decoder.decode(bytes, { stream: true })
    const id = EVENT_ID.exec(text)?.[1]
    if (id !== undefined) return id
  }
  return null
}

/** Not all browsers support async iteration of streams. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
