#!/usr/bin/env node
/**
 * How long searches and the digest take on a long history, through the HTTP API of a server in this process.
 *
 *   node bench/search.mjs <data directory> [events] [events of other tenants] [only cases that match]
 *
 * The directory is filled by the first run (1,000,000 and 500,000 events; some minutes) and used again by the next.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { readSettings } from '../apps/server/dist/settings.js'
import { serve } from '../apps/server/dist/start.js'
import { migrate, startEmbedded } from '../packages/db/dist/index.js'
import { BIG, ELSEWHERE, OTHER_TENANTS, SMALL_SPACES, writeHistory } from './history.mjs'
import { character, word } from './words.mjs'

const pg = createRequire(new URL('../packages/db/package.json', import.meta.url))('pg')
const { pino } = createRequire(new URL('../apps/server/package.json', import.meta.url))('pino')

const REQUESTS = 200
const WARM_UP = 20

const [directory, events = '1000000', elsewhere = '500000', only = ''] = process.argv.slice(2)
if (directory === undefined)
  throw new Error('usage: node bench/search.mjs <data directory> [events] [elsewhere] [only]')
const dataDir = resolve(directory)
const keyFile = join(dataDir, '..', 'bench-key')

const postgres = await startEmbedded({
  dataDir,
  explicitDataDir: true,
  log: () => {},
  onLost: (error) => {
    throw error
  },
})
await migrate(postgres.connection, () => {})
const server = await serve(
  readSettings({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_POOL: '8' }),
  pino({ level: 'silent' }),
  { connection: postgres.connection, data: dataDir, stop: () => postgres.stop() },
)

const say = (line) => process.stdout.write(`${line}\n`)

async function call(method, path, key, body) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

async function openTenant(name, spaces) {
  const human = await call('POST', '/api/actors', undefined, { display_name: name, email: 'bench@example.org' })
  const { tenant_id } = await call('POST', '/api/tenants', human.api_key, { name })
  for (const space_id of spaces) {
    await call('POST', '/api/spaces', human.api_key, { space_id })
    await call('POST', `/api/spaces/${space_id}/join`, human.api_key)
  }
  return { tenantId: tenant_id, actorId: human.actor_id, key: human.api_key }
}

async function fill() {
  const small = Array.from({ length: SMALL_SPACES }, (_, i) => `small-${i}`)
  const here = await openTenant('here', [BIG, ...small])
  for (const target_id of small.slice(0, 9)) await call('POST', '/api/spaces/small-9/links', here.key, { target_id })
  const others = []
  for (let i = 0; i < OTHER_TENANTS; i++) others.push(await openTenant(`other ${i}`, ['other']))
  const pool = new pg.Pool({ ...postgres.connection, ssl: false, max: 4 })
  const begun = performance.now()
  await writeHistory(pool, here, others, { events: Number(events), elsewhere: Number(elsewhere) })
  say(`filled in ${Math.round((performance.now() - begun) / 1_000)} s`)
  await pool.end()
  writeFileSync(keyFile, here.key, { mode: 0o600 })
}

if (!existsSync(keyFile)) await fill()
const key = readFileSync(keyFile, 'utf8')

const around = (rank) => (i) => word(rank + (i % 20))
const inBig = `space_id=${BIG}`
const DIGEST = `/api/spaces/${BIG}/activity`
const search = (scope, q) => (i) => `/api/search?${scope}&q=${encodeURIComponent(q(i))}`
const pair = (a, b) => (i) => `${word(a + (i % 20))} ${word(b + (i % 20))}`

const cases = {
  'nothing but the caller': () => '/api/actors/me',
  ...Object.fromEntries(
    [1, 30, 100, 300, 1_000, 3_000, 10_000, 29_000].map((rank) => [`rank ${rank}`, search(inBig, around(rank))]),
  ),
  'absent everywhere': search(inBig, () => 'qqqqqq'),
  'absent here, common elsewhere': search(inBig, () => ELSEWHERE),
  'two common words': search(inBig, pair(1, 30)),
  'two middling words': search(inBig, pair(300, 400)),
  phrase: search(inBig, (i) => `"${word(1 + (i % 3))} ${word(2 + (i % 5))}"`),
  'phrase of middling words': search(inBig, (i) => `"${word(100 + (i % 20))} ${word(90 + (i % 20))}"`),
  'a common word without another': search(inBig, (i) => `${word(1 + (i % 20))} -${word(100 + (i % 20))}`),
  'one Chinese character': search(inBig, (i) => character(1 + (i % 20))),
  'one rare Chinese character': search(inBig, (i) => character(380 + (i % 20))),
  'three Chinese characters': search(inBig, () => character(1) + character(2) + character(1)),
  'rank 300, 100 matches': search(`limit=100&${inBig}`, around(300)),
  'linked spaces, rank 1': search('linked_to=small-9', around(1)),
  'linked spaces, rank 1,000': search('linked_to=small-9', around(1_000)),
  'linked spaces, absent here': search('linked_to=small-9', () => ELSEWHERE),
  'joined spaces, rank 1': search('', around(1)),
  'joined spaces, rank 100': search('', around(100)),
  'joined spaces, rank 1,000': search('', around(1_000)),
  'joined spaces, rank 10,000': search('', around(10_000)),
  'joined spaces, absent here': search('', () => ELSEWHERE),
  'relevance, rank 1,000': search(`sort=relevance&${inBig}`, around(1_000)),
  'relevance, rank 100': search(`sort=relevance&${inBig}`, around(100)),
  'relevance, rank 1': search(`sort=relevance&${inBig}`, around(1)),
  'activity of the last hour of events': (i) => `${DIGEST}?since=${new Date(lastEvent - 3_600_000 + i).toISOString()}`,
  'activity since 1970': () => `${DIGEST}?since=1970-01-01`,
}

const lastEvent = Date.parse((await call('GET', `/api/spaces/${BIG}/status`, key)).last_event_at)
for (const [name, path] of Object.entries(cases)) {
  if (!name.match(only)) continue
  const times = []
  let found = 0
  const slow = name.endsWith('1970')
  const count = slow ? 20 : REQUESTS
  for (let i = 0; i < count + (slow ? 2 : WARM_UP); i++) {
    const begun = performance.now()
    const answer = await call('GET', path(i), key)
    times.push(performance.now() - begun)
    found += Array.isArray(answer) ? answer.length : (answer.participants?.length ?? 0)
  }
  const sorted = times.slice(slow ? 2 : WARM_UP).sort((a, b) => a - b)
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1].toFixed(1).padStart(8)
  const mean = (found / times.length).toFixed(1).padStart(6)
  say(`${name.padEnd(36)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  found ${mean}`)
}
await server.stop()
