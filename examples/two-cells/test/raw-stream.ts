import { setTimeout as delay } from 'node:timers/promises'

interface Access {
  readonly url: string
  readonly token: string
  readonly space_id: string
  readonly mayMoveTo: readonly string[]
}

interface Event {
  readonly event_id: string
  readonly text: string
}

/** Yields the events of a space over plain HTTP, by the guide for REST clients. */
export async function* rawStream(
  { url, token, space_id, mayMoveTo }: Access,
  since: string | undefined,
): AsyncGenerator<Event> {
  let [base, cursor] = [url, since]
  for (;;) {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (cursor !== undefined) headers['last-event-id'] = cursor
    const answer = await fetch(`${base}/api/spaces/${space_id}/events/stream`, { headers }).catch(() => null)
    if (answer?.status === 421) {
      const { error, location } = (await answer.json()) as Record<string, string>
      if (error !== 'moved' || !location || !mayMoveTo.includes(location)) throw new Error(`Moved to ${location}`)
      base = location
      continue
    }
    if (answer && answer.status < 500 && !answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    if (answer?.ok && answer.body) {
      for await (const event of eventsIn(answer.body)) {
        cursor = event.event_id
        yield event
      }
    }
    await answer?.body?.cancel().catch(() => {})
    await delay(1_000 * Math.random())
  }
}

/** Yields the events of a connection, until it ends or breaks. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return
      const messages = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const [, data] = /^data: ?(.*)$/m.exec(message) ?? []
        if (data !== undefined && /^event: ?context_event$/m.test(message)) yield JSON.parse(data)
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
