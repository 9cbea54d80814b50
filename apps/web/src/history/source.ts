import type { Client, Event, SpaceAct, StreamOptions } from '@collab-spaces/client'
import type { EventsOf, Live } from '../live/live'

/** In place of an event: what comes before the first. */
export const BEGINNING = ''

/** Where a history is read from. */
export interface HistorySource {
  /** The newest events. */
  tail(limit: number): Promise<Event[]>
  /** The events just before one. */
  before(eventId: string, limit: number): Promise<Event[]>
  /** The events after one, or from the `BEGINNING`. */
  since(eventId: string, limit: number): Promise<Event[]>
  get(eventId: string): Promise<Event>
  /** The id of the first event at a time or later; null if there is none. */
  firstFrom(time: string): Promise<string | null>
  /** The acts on the space and its decisions. */
  readonly acts: ActSource
  stream(options: StreamOptions): EventsOf
}

/** The same for acts, which are counted by their positions. */
export interface ActSource {
  tail(limit: number): Promise<SpaceAct[]>
  before(position: number, limit: number): Promise<SpaceAct[]>
  since(position: number, limit: number): Promise<SpaceAct[]>
  /** The first of a time or later. */
  from(time: string, limit: number): Promise<SpaceAct[]>
}

export function historySource(client: Client, live: Live, spaceId: string): HistorySource {
  const space_id = spaceId
  return {
    tail: (limit) => client.event.list.query({ space_id, tail: true, limit }),
    before: (before, limit) => client.event.list.query({ space_id, before, limit }),
    since: (after, limit) => client.event.list.query({ space_id, limit, ...(after !== BEGINNING && { since: after }) }),
    get: (event_id) => client.event.get.query({ space_id, event_id }),
    firstFrom: (time) => client.rest('event.transcript', { space_id, start: time }, { read: firstEventId }),
    acts: {
      tail: (limit) => client.space.acts.query({ space_id, tail: true, limit }),
      before: (before, limit) => client.space.acts.query({ space_id, before, limit }),
      since: (since, limit) => client.space.acts.query({ space_id, since, limit }),
      from: (start, limit) => client.space.acts.query({ space_id, start, limit }),
    },
    stream: (options) => live.events(spaceId, options),
  }
}

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
