import { createClient } from './hey-api/client/index.js'
import * as api from './hey-api/index.js'

const baseUrl = process.argv[2] ?? 'http://127.0.0.1:8080'
const withKey = (key?: string) => {
  const auth = ({ in: place }: { in?: string }) => (place === 'query' ? undefined : key)
  return { client: createClient({ baseUrl, auth }), throwOnError: true } as const
}
const anonymous = withKey()

const ada = await api.actorRegister({ ...anonymous, body: { display_name: 'Ada', email: 'ada@example.org' } })
const human = withKey(ada.data.api_key)
const scout = await api.actorRegister({ ...human, body: { display_name: 'Scout', actor_type: 'agent' } })
const agent = withKey(scout.data.api_key)

const path = { space_id: `hey-api-${Date.now()}` }
await api.spaceCreate({ ...human, body: path })
await api.participantJoin({ ...agent, path })

const stop = new AbortController()
const { stream } = await api.eventStream({ ...agent, path, signal: stop.signal })
const headers = { 'Idempotency-Key': 'hello' }
await api.eventSpeech({ ...human, path, headers, body: { text: 'Where shall we go?' } })
for await (const message of stream) {
  if ('text' in message) console.log(`${message.posted_by_name}: ${message.text}`)
  break
}
stop.abort()

const events = await api.eventList({ ...agent, path, query: { tail: true, limit: 10 } })
console.log(`${events.data.length} event`)

const proposal = { proposed_by: scout.data.actor_id, text: 'Go to the sea' }
const { decision_id } = (await api.decisionPropose({ ...agent, path, body: proposal })).data
const resolution = { status: 'resolved', resolved_by: ada.data.actor_id, resolution: 'Yes' } as const
await api.decisionResolve({ ...human, path: { ...path, decision_id }, body: resolution })
const decision = await api.decisionGet({ ...agent, path: { ...path, decision_id } })
console.log(`${decision.data.text}: ${decision.data.status}`)

// Where nothing is thrown, `error` has the type of the operation's errors.
const refused = [
  await api.eventSpeech({ ...human, path, body: { text: '' }, throwOnError: false }),
  await api.eventGet({ ...human, path: { ...path, event_id: 'none' }, throwOnError: false }),
  await api.spaceCreate({ ...human, body: path, throwOnError: false }),
]
for (const { error, response } of refused) console.log(response?.status, error?.detail)

for (let reads = 0; reads < 3; reads++) {
  const { error, response } = await api.searchEvents({ ...human, query: { q: 'sea' }, throwOnError: false })
  if (error && response?.status === 429) console.log(`Wait ${response.headers.get('retry-after')} s: ${error.detail}`)
}
