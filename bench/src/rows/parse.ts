import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import { connect, oneOf, seededRandom } from '@collab-spaces/testing/history'
import { type Baseline, startBaseline } from '../baselines/program.js'
import { cleanup } from '../cleanup.js'
import type { Row } from '../row.js'
import type { Service } from '../service/service.js'
import type { Stage } from '../service/stage.js'
import { MissingTool } from '../tools/install.js'
import { wrk } from '../tools/wrk.js'
import { cursorsIn, LIMIT, pageRequests, requireFull, requireFullPages } from '../workload/pages.js'
import { fetchAll, type Request } from '../workload/request.js'
import { speeches } from '../workload/speeches.js'

const CONNECTIONS = 16
const PAGES = 100
const TEXTS = 16
const VERSION = '9.10.0'
const DATABASE = 'parse'
const KEYS = { 'X-Parse-Application-Id': 'bench' }

export const parse: Row = {
  name: 'parse',
  title: 'list and write beside Parse Server, 16 connections',
  about:
    `The list and the speech of the first rows, against Parse Server ${VERSION} on the same PostgreSQL: a page of ${LIMIT} ` +
    'objects after a position, from a class with an index on space and position, and a new object; with the session ' +
    'of a user, as ours have a key.',
  tools: ['wrk'],
  peers: true,
  claims: [
    {
      measured: 'list',
      side: 'service, list',
      figure: 'perSecond',
      against: 'Parse Server, list',
      bound: 'at least',
      must: 5,
      aim: 8,
    },
    {
      measured: 'write',
      side: 'service, write',
      figure: 'perSecond',
      against: 'Parse Server, write',
      bound: 'at least',
      must: 1.3,
      aim: 2,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const lists = pageRequests(human, await cursorsIn(service, human, spaces, PAGES))
    await requireFullPages(url, lists)
    const writes = speeches(human, spaces, TEXTS)
    const load = { url, connections: CONNECTIONS, seconds, directory }
    return {
      measures: {
        'service, list': () => wrk({ requests: lists, ...load }),
        'service, write': () => wrk({ requests: writes, ...load }),
      },
    }
  },
  async baselines({ sizes: { seconds }, stage }) {
    const { service } = await stage()
    const { url, stop } = await startParse(service)
    const headers = { ...KEYS, 'X-Parse-Session-Token': await signUp(url) }
    const writes = parseWrites(await stage(), headers)
    // The first one makes the class.
    await fetchAll(url, writes.slice(0, 1))
    await fillParse(service)
    const lists = await parseLists(await stage(), headers)
    const pages = await fetchAll<{ results: unknown[] }>(url, lists)
    requireFull(pages.map(({ results }) => results))
    const load = { url, connections: CONNECTIONS, seconds, directory: service.directory }
    return {
      measures: {
        'Parse Server, list': () => wrk({ requests: lists, ...load }),
        'Parse Server, write': () => wrk({ requests: writes, ...load }),
      },
      close: stop,
    }
  },
}

/** Installs it in a folder of its own and gives it a database of its own. */
async function startParse(service: Service): Promise<Baseline> {
  const folder = await mkdtemp(join(tmpdir(), 'spaces-parse-'))
  const removeFolder = cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const quietly = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error']
  const what = `parse-server@${VERSION}`
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quietly, what]).catch((error) => {
    throw new MissingTool(`npm install ${what} failed (${error.message.split('\n')[0]})`)
  })
  await service.query(`CREATE DATABASE ${DATABASE}`)
  const { url, stop } = await startBaseline('parse', [folder, JSON.stringify(parseConnection(service))])
  return {
    url,
    stop: async () => {
      await stop()
      await removeFolder()
    },
  }
}

const parseConnection = ({ connection }: Service): ConnectionOptions => ({ ...connection, database: DATABASE })

async function signUp(url: string): Promise<string> {
  const body = { username: 'ada', password: 'a password of Ada' }
  const request = { method: 'POST', path: '/parse/users', headers: KEYS, body }
  const [user] = await fetchAll<{ sessionToken: string }>(url, [request])
  return String(user?.sessionToken)
}

/** The events of our spaces as its objects, with the index that one would make for them. */
async function fillParse(service: Service): Promise<void> {
  const client = await connect(parseConnection(service))
  try {
    for (const { space_id } of await service.query<{ space_id: string }>('SELECT space_id FROM spaces')) {
      const { events } = await service.queryOne<{ events: unknown }>(
        "SELECT json_agg(json_build_object('position', position, 'wire', wire::json)) AS events FROM events WHERE space_id = $1",
        [space_id],
      )
      await client.query(OBJECTS, [space_id, JSON.stringify(events)])
    }
    await client.query('CREATE INDEX ON "Event" (space, position)')
    await client.query('VACUUM (ANALYZE) "Event"')
  } finally {
    await client.end()
  }
}

const OBJECTS = `
  INSERT INTO "Event" ("objectId", "createdAt", "updatedAt", space, "speakerId", "speakerName", "speakerType", position,
    "references", text, metadata)
  SELECT left(translate(encode(sha256(convert_to($1 || '/' || e.position, 'UTF8')), 'base64'), '+/', 'ab'), 10), w."timestamp", w."timestamp", $1, w.speaker_id, w.speaker_name, w.speaker_type,
    e.position, w."references", w.text, w.metadata
  FROM json_to_recordset($2::json) AS e(position int, wire json), json_to_record(e.wire) AS w(speaker_id text,
    speaker_name text, speaker_type text, text text, "timestamp" timestamptz, "references" jsonb, metadata jsonb)`

type Headers = Readonly<Record<string, string>>

/** Our speeches as its objects. */
const parseWrites = ({ human, spaces }: Stage, headers: Headers): Request[] =>
  speeches(human, spaces, TEXTS).map(({ body }, n) => ({
    method: 'POST',
    path: '/parse/classes/Event',
    headers,
    body: {
      space: spaces[n % spaces.length],
      speakerId: human.actorId,
      speakerName: human.name,
      speakerType: 'human',
      position: n,
      references: [],
      ...body,
    },
  }))

/** Pages after positions here and there, each of them full. */
async function parseLists({ service, spaces }: Stage, headers: Headers): Promise<Request[]> {
  const random = seededRandom(19)
  const statement = 'SELECT space_id, head::int FROM spaces WHERE space_id = ANY ($1)'
  const heads = await service.query<{ space_id: string; head: number }>(statement, [spaces])
  return Array.from({ length: PAGES }, () => {
    const { space_id, head } = oneOf(heads, random)
    const position = Math.floor(random() * (head - LIMIT))
    const where = encodeURIComponent(JSON.stringify({ space: space_id, position: { $gt: position } }))
    return { path: `/parse/classes/Event?where=${where}&order=position&limit=${LIMIT}`, headers }
  })
}
