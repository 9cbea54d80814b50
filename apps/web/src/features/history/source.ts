import type { Client, Event, SpaceAct, StreamOptions } from '@collab-spaces/client'
import type { Live } from '../../shared/live/live'

/** In place of an event: what comes before the first. */
export const BEGINNING = ''

export type HistorySource = ReturnType<typeof historySource>

/** Where a history is read from. */
export const historySource = (client: Client, live: Live, space_id: string) => ({
  /** The newest events. */
  tail: (limit: number): Promise<Event[]> => client.event.list.query({ space_id, tail: true, limit }),
  /** The events just before one. */
  before: (before: string, limit: number): Promise<Event[]> => client.event.list.query({ space_id, before, limit }),
  /** The events after one, or from the `BEGINNING`. */
  since: (after: string, limit: number): Promise<Event[]> =>
    client.event.list.query({ space_id, limit, ...(after !== BEGINNING && { since: after }) }),
  get: (event_id: string): Promise<Event> => client.event.get.query({ space_id, event_id }),
  /** The id of the first event at a time or later; null if there is none. */
  firstFrom: (time: string) => client.rest('event.transcript', { space_id, start: time }, { read: firstEventId }),
  /** The acts on the space and its decisions, which are counted by their positions. */
  acts: {
    tail: (limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, tail: true, limit }),
    before: (before: number, limit: number): Promise<SpaceAct[]> =>
      client.space.acts.query({ space_id, before, limit }),
    since: (since: number, limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, since, limit }),
    /** The first of a time or later. */
    from: (start: string, limit: number): Promise<SpaceAct[]> => client.space.acts.query({ space_id, start, limit }),
  },
  stream: (options: StreamOptions) => live.events(space_id, options),
})

const EVENT_ID = /^\[\{"event_id":"([^"]+)"/

/** Reads no more of a transcript, which may be endless, than tells its first event. */
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

/** Not every browser can iterate over a stream by itself. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
