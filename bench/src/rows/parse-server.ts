import { inDatabase, query } from '@collab-spaces/testing/programs'
import { startBaseline } from '../baselines/program.js'
import type { Row } from '../row.js'
import type { Stage } from '../service/stage.js'
import type { Sizes } from '../sizes.js'
import { parseServer } from '../tools/install.js'
import { wrk } from '../tools/wrk.js'
import { cursorsIn, LIMIT, pageRequests, requireFullPages } from '../workload/pages.js'
import { fetchAll, type Request } from '../workload/request.js'
import { speechBody, speeches, texts } from '../workload/speeches.js'

const CONNECTIONS = 16
const VARIANTS = 16
const DATABASE = 'parse'

export const parseServerRow: Row = {
  name: 'parse-server',
  title: 'speech and a list of 50 events beside Parse Server, 16 connections',
  about:
    'POST …/speech and GET …/events against Parse Server on the same PostgreSQL, with a class of events of the same ' +
    'number and size, an index for the list, and rights for the public: it looks up no caller.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'speech beside Parse Server',
      side: 'service, speech',
      figure: 'perSecond',
      against: 'Parse Server, speech',
      bound: 'at least',
      must: 1,
      aim: 2,
    },
    {
      measured: 'list of 50 events beside Parse Server',
      side: 'service, list',
      figure: 'perSecond',
      against: 'Parse Server, list',
      bound: 'at least',
      must: 1.5,
      aim: 3,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const lists = pageRequests(human, await cursorsIn(service, human, spaces, VARIANTS))
    await requireFullPages(url, lists)
    const load = { url, connections: CONNECTIONS, seconds, directory }
    return {
      measures: {
        'service, speech': () => wrk({ ...load, requests: speeches(human, spaces, VARIANTS) }),
        'service, list': () => wrk({ ...load, requests: lists }),
      },
    }
  },
  async baselines({ sizes, stage }) {
    const opened = await stage()
    const { service, spaces } = opened
    const place = await parseServer()
    await service.query(`CREATE DATABASE ${DATABASE}`)
    const connection = inDatabase(service.connection, DATABASE)
    const { url, stop } = await startBaseline('parse-server', [place, JSON.stringify(connection)])
    await fill(opened, sizes)
    const lists = spaces.slice(0, VARIANTS).map((space) => listRequest(space, Math.floor(sizes.eventsInSpace / 2)))
    await requireFullLists(url, lists)
    const load = { url, connections: CONNECTIONS, seconds: sizes.seconds, directory: service.directory }
    const writes = texts(VARIANTS).flatMap((text) => spaces.map((space) => createRequest(opened, space, text)))
    return {
      measures: {
        'Parse Server, speech': () => wrk({ ...load, requests: writes }),
        'Parse Server, list': () => wrk({ ...load, requests: lists }),
      },
      close: stop,
    }
  },
}

const HEADERS = { 'X-Parse-Application-Id': 'bench', 'X-Parse-REST-API-Key': 'bench' }

/** Gives each space as many events as it has in the service. */
async function fill({ service, human, spaces }: Stage, { eventsInSpace }: Sizes): Promise<void> {
  const connection = inDatabase(service.connection, DATABASE)
  await query(connection, FILLED, [spaces, eventsInSpace, texts(VARIANTS), human.actorId, human.name])
  await query(connection, 'CREATE INDEX ON "Event" (space_id, position)')
  await query(connection, 'VACUUM (ANALYZE) "Event"')
}

const FILLED = `
  INSERT INTO "Event" ("objectId", "createdAt", "updatedAt", space_id, position, speaker_id, speaker_name, speaker_type,
    text, "references", metadata)
  SELECT substr(md5(space_id || ':' || position), 1, 10), now(), now(), space_id, position, $4, $5, 'human',
    ($3::text[])[1 + position % cardinality($3::text[])], '[]', '{"client": "web", "mood": 3}'
  FROM unnest($1::text[]) AS space_id, generate_series(1, $2::int) AS position
  ON CONFLICT DO NOTHING`

const listRequest = (space_id: string, position: number): Request => {
  const where = JSON.stringify({ space_id, position: { $gt: position } })
  return {
    path: `/parse/classes/Event?where=${encodeURIComponent(where)}&order=position&limit=${LIMIT}`,
    headers: HEADERS,
  }
}

const createRequest = ({ human }: Stage, space_id: string, text: string): Request => ({
  method: 'POST',
  path: '/parse/classes/Event',
  headers: HEADERS,
  body: {
    space_id,
    speaker_id: human.actorId,
    speaker_name: human.name,
    speaker_type: 'human',
    references: [],
    ...speechBody(text),
  },
})

async function requireFullLists(url: string, requests: readonly Request[]): Promise<void> {
  const pages = await fetchAll<{ results: unknown[] }>(url, requests)
  if (pages.some(({ results }) => results.length !== LIMIT)) throw new Error(`a page does not have ${LIMIT} events`)
}
