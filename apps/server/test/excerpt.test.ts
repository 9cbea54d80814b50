import { type Actor, type Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { CLIENTS, useMcpClients } from './support/mcp.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const h = useServer()
const operate = operatorOf(h)
const connected = useMcpClients()
const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

let ada: Actor
let bob: Actor
let client: Client
let path: string
let file_ids: string[]
let event: {
  readonly event_id: string
  readonly thread_id: string
  readonly files: readonly { readonly name: string }[]
}

/** Bob posts two files in a thread of Ada. */
beforeEach(async () => {
  ;[ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  client = h.as(ada)
  path = await h.openSpace(ada)
  const parent = await client.post(`${path}/speech`, { text: 'The plan?' }).expect(200)
  const { thread_id } = await client
    .post(`${path}/threads`, { parent_event_id: parent.event_id, subject: 'Plan' })
    .expect(200)
  file_ids = []
  for (const name of ['plan.pdf', 'map.png']) {
    file_ids.push((await h.as(bob).post(`${path}/files?name=${name}`, `${path} ${name}`).expect(200)).file_id)
  }
  const metadata = { mentions: [ada.actor_id] }
  const message = { text: '👍', thread_id, parent_event_id: parent.event_id, metadata, file_ids }
  event = await h.as(bob).post(`${path}/speech`, message).expect(200)
})

/** Returns the event as each read returns it. */
async function reads(): Promise<Record<string, { text: string; deleted_files?: string[] }>> {
  const get = (place: string) => client.get(place).expect(200)
  const here = ({ event_id }: { event_id: string }) => event_id === event.event_id
  const { items } = await get('/api/actors/me/inbox')
  const { participants } = await get(`${path}/activity`)
  return {
    page: (await get(`${path}/events`)).find(here),
    one: await get(`${path}/events/${event.event_id}`),
    transcript: (await get(`${path}/transcript`)).find(here),
    mentions: (await get(`${path}/mentions/${ada.actor_id}`)).find(here),
    thread: (await get(`${path}/threads/${event.thread_id}`)).events.find(here),
    inbox: items.map((item: { event: { event_id: string } }) => item.event).find(here),
    activity: participants.flatMap(({ events }: { events: { event_id: string }[] }) => events).find(here),
    search: (await get(`/api/search?q=from:bob&space_id=${spaceIdOf(path)}`)).find(here),
  }
}

it('every read lists the deleted files of an event', async () => {
  const deleted = async () => Object.entries(await reads()).map(([name, { deleted_files }]) => [name, deleted_files])
  const names = Object.keys(await reads())
  expect(await deleted()).toEqual(names.map((name) => [name, undefined]))
  await h.as(bob).delete(`${path}/files/${file_ids[0]}`).expect(200)
  expect(await deleted()).toEqual(names.map((name) => [name, [file_ids[0]]]))
  const shown = await client.get(`${path}/events/${event.event_id}`).expect(200)
  expect(shown.files).toEqual(event.files)

  await operate(
    'event',
    'redact',
    DEFAULT_SCOPE,
    spaceIdOf(path),
    event.event_id,
    '--by',
    'A',
    '--reason',
    'B',
    '--yes',
  )
  const { files, deleted_files } = await client.get(`${path}/events/${event.event_id}`).expect(200)
  expect([files, deleted_files]).toEqual([undefined, undefined])
})

it('every read lists the deleted files of a corrected event, beside its newest text', async () => {
  await h.as(bob).post(`${path}/speech`, { text: 'Better', corrects: event.event_id }).expect(200)
  await h.as(bob).delete(`${path}/files/${file_ids[1]}`).expect(200)
  for (const [name, shown] of Object.entries(await reads())) {
    if (name === 'search') continue
    expect(shown, name).toMatchObject({ text: '👍', current_text: 'Better', deleted_files: [file_ids[1]] })
  }
})

it('threads, contexts and tools list the files that are not deleted', async () => {
  const scout = await h.registerAgent(ada, 'Scout')
  const mcp = await connected(connect, h.url, scout.api_key)
  const shownIn = async () => {
    const [{ last_event }] = await client.get(`${path}/threads`).expect(200)
    const { text: context } = await client.get(`${path}/context`).expect(200)
    const { text: events } = await mcp.call('read_events', { space_id: spaceIdOf(path) })
    const { text: found } = await mcp.call('search', { q: 'from:bob', space_id: spaceIdOf(path) })
    const named = (text: string) => ['plan.pdf', 'map.png'].filter((name) => text.includes(`name="${name}"`))
    return {
      thread: (last_event.files ?? []).map(({ name }: { name: string }) => name),
      ...{ context: named(context), events: named(events), found: named(found) },
    }
  }
  const all = (names: readonly string[]) => ({ thread: names, context: names, events: names, found: names })
  expect(await shownIn()).toEqual(all(['plan.pdf', 'map.png']))
  await h.as(bob).delete(`${path}/files/${file_ids[0]}`).expect(200)
  expect(await shownIn()).toEqual(all(['map.png']))
  await h.as(bob).delete(`${path}/files/${file_ids[1]}`).expect(200)
  expect(await shownIn()).toEqual(all([]))
})

it('a search finds no deleted file, and lists it beside a match in another file of the event', async () => {
  await eventually(async () => {
    const { rows } = await query(h.connection, 'SELECT FROM files WHERE file_id = ANY ($1) AND position IS NOT NULL', [
      file_ids,
    ])
    return rows.length === file_ids.length
  })
  await h.as(bob).delete(`${path}/files/${file_ids[0]}`).expect(200)
  const search = (q: string) => client.get(`/api/search?q=${q}&space_id=${spaceIdOf(path)}`).expect(200)
  expect(await search('plan.pdf')).toEqual([])
  expect(await search('map.png')).toMatchObject([{ matched_file: { name: 'map.png' }, deleted_files: [file_ids[0]] }])
})
