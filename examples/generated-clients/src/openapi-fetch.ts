import createClient from 'openapi-fetch'
import type { Event, paths } from './schema.js'

const baseUrl = process.argv[2] ?? 'http://127.0.0.1:8080'
const withKey = (key: string) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
const anonymous = createClient<paths>({ baseUrl })

/** Returns the data of an answer. Throws the server's reason for a refusal. */
async function must<T>(answer: Promise<{ data?: T; error?: { detail: string } }>): Promise<T> {
  const { data, error } = await answer
  if (data === undefined) throw new Error(error?.detail)
  return data
}

const ada = await must(anonymous.POST('/api/actors', { body: { display_name: 'Ada', email: 'ada@example.org' } }))
const human = withKey(ada.api_key)
const scout = await must(human.POST('/api/actors', { body: { display_name: 'Scout', actor_type: 'agent' } }))
const agent = withKey(scout.api_key)

const path = { space_id: `openapi-fetch-${Date.now()}` }
await must(human.POST('/api/spaces', { body: path }))
await must(agent.POST('/api/spaces/{space_id}/join', { params: { path } }))

const stop = new AbortController()
const streamed = agent.GET('/api/spaces/{space_id}/events/stream', {
  params: { path },
  parseAs: 'stream',
  signal: stop.signal,
})
const { response: live } = await streamed
const header = { 'Idempotency-Key': 'hello' }
const text = 'Where shall we go?'
await must(human.POST('/api/spaces/{space_id}/speech', { params: { path, header }, body: { text } }))
for await (const event of eventsIn(live)) {
  console.log(`${event.posted_by_name}: ${event.text}`)
  break
}
stop.abort()

/** openapi-fetch returns the body of a stream as it arrives. It ends only when the server ends the stream. */
async function* eventsIn({ body }: Response): AsyncGenerator<Event> {
  let unread = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (unread + piece).split('\n\n')
    unread = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^event: context_event\ndata: (.*)$/m.exec(message)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

const query = { tail: true, limit: 10 }
const events = await must(agent.GET('/api/spaces/{space_id}/events', { params: { path, query } }))
console.log(`${events.length} event`)

const proposal = { proposed_by: scout.actor_id, text: 'Go to the sea' }
const proposed = agent.POST('/api/spaces/{space_id}/decisions', { params: { path }, body: proposal })
const params = { path: { ...path, decision_id: (await must(proposed)).decision_id } }
const resolution = { status: 'resolved', resolved_by: ada.actor_id, resolution: 'Yes' } as const
await must(human.PUT('/api/spaces/{space_id}/decisions/{decision_id}/resolve', { params, body: resolution }))
const decision = await must(agent.GET('/api/spaces/{space_id}/decisions/{decision_id}', { params }))
console.log(`${decision.text}: ${decision.status}`)

const nothing = { path: { ...path, event_id: 'none' } }
const refused = [
  await human.POST('/api/spaces/{space_id}/speech', { params: { path }, body: { text: '' } }),
  await human.GET('/api/spaces/{space_id}/events/{event_id}', { params: nothing }),
  await human.POST('/api/spaces', { body: path }),
]
for (const { error, response } of refused) console.log(response.status, error?.detail)

for (let reads = 0; reads < 3; reads++) {
  const { error, response } = await human.GET('/api/search', { params: { query: { q: 'sea' } } })
  if (error && response.status === 429) console.log(`Wait ${response.headers.get('retry-after')} s: ${error.detail}`)
}
