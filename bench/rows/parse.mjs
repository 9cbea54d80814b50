import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, oneOf, seededRandom } from '@collab-spaces/testing/history'
import { afterwards } from '../afterwards.mjs'
import { startBaseline } from '../baseline/program.mjs'
import { cursorsIn, LIMIT, pageRequests, requireFull } from '../pages.mjs'
import { speeches } from '../said.mjs'
import { MissingTool } from '../tools.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */
/** @import { EmbeddedConnection } from '../server.mjs' */
/** @import { Service } from '../service.mjs' */

const CONNECTIONS = 16
const PAGES = 100
const TEXTS = 16
const VERSION = '9.10.0'
const DATABASE = 'parse'
const KEYS = { 'X-Parse-Application-Id': 'bench' }

/** @type {Row} */
export const parse = {
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
      must: 3,
      aim: 5,
    },
  ],
  async open({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const { peer, stop } = await startParse(service)
    const session = await signUp(peer.url)
    const headers = { ...KEYS, 'X-Parse-Session-Token': session }

    const writes = speeches(human, spaces, TEXTS)
    const theirWrites = writes.map(({ body }, n) => ({
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
    // The first one makes the class.
    await answersTo(peer.url, theirWrites.slice(0, 1))
    await fillParse(service)

    const lists = pageRequests(human, await cursorsIn(service, human, spaces, PAGES))
    const theirLists = (await positionsIn(service, spaces)).map(({ space, position }) => {
      const where = encodeURIComponent(JSON.stringify({ space, position: { $gt: position } }))
      return { path: `/parse/classes/Event?where=${where}&order=position&limit=${LIMIT}`, headers }
    })
    requireFull(await answersTo(url, lists))
    requireFull((await answersTo(peer.url, theirLists)).map(({ results }) => results))

    const load = { connections: CONNECTIONS, seconds, directory }
    return {
      sides: {
        'service, list': () => wrk({ url, requests: lists, ...load }),
        'Parse Server, list': () => wrk({ url: peer.url, requests: theirLists, ...load }),
        'service, write': () => wrk({ url, requests: writes, ...load }),
        'Parse Server, write': () => wrk({ url: peer.url, requests: theirWrites, ...load }),
      },
      close: stop,
    }
  },
}

/** Installs it in a folder of its own and gives it a database of its own. @param {Service} service */
async function startParse(service) {
  const folder = await mkdtemp(join(tmpdir(), 'spaces-parse-'))
  const removeFolder = afterwards(() => rm(folder, { recursive: true, force: true }))
  const quietly = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error']
  const what = `parse-server@${VERSION}`
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quietly, what]).catch((error) => {
    throw new MissingTool(`${what} could not be installed from npm (${error.message.split('\n')[0]})`)
  })
  await service.query(`CREATE DATABASE ${DATABASE}`)
  const peer = await startBaseline('parse.mjs', [folder, JSON.stringify(inDatabase(service.connection))])
  const stop = async () => {
    await peer.stop()
    await removeFolder()
  }
  return { peer, stop }
}

/** @param {EmbeddedConnection} connection */
const inDatabase = (connection) => ({ ...connection, database: DATABASE })

/** @param {string} url @returns {Promise<string>} */
async function signUp(url) {
  const body = { username: 'ada', password: 'a password of Ada' }
  const [user] = await answersTo(url, [{ method: 'POST', path: '/parse/users', headers: KEYS, body }])
  return user.sessionToken
}

/** The events of our spaces as its objects, with the index that one would make for them. @param {Service} service */
async function fillParse(service) {
  const client = await connect(inDatabase(service.connection))
  try {
    const spaces = await service.query('SELECT space_id FROM spaces')
    for (const { space_id } of spaces) {
      const [history] = await service.query(
        "SELECT json_agg(json_build_object('position', position, 'wire', wire::json)) AS events FROM events WHERE space_id = $1",
        [space_id],
      )
      await client.query(OBJECTS, [space_id, JSON.stringify(history.events)])
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

/** Positions here and there, each with a full page after it. @param {Service} service @param {readonly string[]} spaces */
async function positionsIn(service, spaces) {
  const chance = seededRandom(19)
  const heads = await service.query('SELECT space_id, head FROM spaces WHERE space_id = ANY ($1)', [spaces])
  return Array.from({ length: PAGES }, () => {
    const { space_id, head } = oneOf(heads, chance)
    return { space: space_id, position: Math.floor(chance() * (Number(head) - LIMIT)) }
  })
}
