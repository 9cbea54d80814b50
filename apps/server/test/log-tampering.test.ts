import type { ConnectionOptions } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import {
  checkpointText,
  EMPTY_ROOT,
  Frontier,
  leafHash,
  MARK_BYTES,
  markOf,
  parseCheckpoint,
  readReceipt,
  Signer,
  TILE,
  TILE_HEIGHT,
} from '@collab-spaces/merkle'
import { type Actor, Client, eventually, freshDatabase, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { operatorOf } from './support/operator.js'
import { firstBad, keyOf, readLog, sealed } from './support/sealed.js'
import { startServer, useServer } from './support/server.js'

const h = useServer()
const operator = operatorOf(h)
let ada: Actor
let key: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  key = await keyOf(h)
})

const EVENTS = 300

/** Creates a space with a sealed history, and returns its newest checkpoint. */
async function sealedSpace(server: Client = h, owner: Actor = ada) {
  const path = await server.openSpace(owner)
  for (let done = 0; done < EVENTS; done += 100) {
    const events = Array.from({ length: 100 }, (_, at) => ({
      speaker_id: 'a source',
      speaker_name: 'A source',
      speaker_type: 'human',
      text: `Event ${done + at + 1}`,
    }))
    await server.as(owner).post(`${path}/events/batch`, { events }).expect(200)
  }
  const { checkpoint } = await sealed(server.as(owner), `${path}/log`, EVENTS)
  return { path, space: path.split('/').at(-1) as string, checkpoint }
}

/** Runs statements as the owner of the tables. */
const tamper = (space: string, statements: string, connection = h.connection) =>
  query(connection, statements.replaceAll('$1', `'${space}'`))

const exported = async (path: string) => (await h.as(ada).get(`${path}/log/export`)).text

const problems = async (space: string, about = 'as sealed'): Promise<string[]> => {
  const [json = ''] = await operator('check', '--json')
  return JSON.parse(json)
    .problems.filter((found: { space_id: string; problem: string }) => found.space_id === space)
    .map(({ problem }: { problem: string }) => problem)
    .filter((problem: string) => problem.includes(about))
}

const MOVED = `UPDATE events SET position = -position WHERE space_id = $1 AND position`
const TAMPERINGS: readonly [string, number, string][] = [
  ['edited', 5, `UPDATE events SET wire = replace(wire, 'Event 5"', 'Event V"') WHERE space_id = $1 AND position = 5`],
  ['edited near the end', 299, `UPDATE events SET wire = wire || ' ' WHERE space_id = $1 AND position = 299`],
  ['deleted', 7, `DELETE FROM events WHERE space_id = $1 AND position = 7`],
  [
    'swapped',
    8,
    `UPDATE events e SET wire = o.wire FROM events o
     WHERE e.space_id = $1 AND o.space_id = $1 AND e.position IN (8, 9) AND o.position = 17 - e.position`,
  ],
  [
    'shifted for an inserted one',
    290,
    `${MOVED} >= 290;
     UPDATE events SET position = 1 - position WHERE space_id = $1 AND position < 0;
     INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, nonce)
     SELECT tenant_id, space_id, 290, gen_random_uuid(), occurred_at, speaker_id, posted_by, wire, nonce
     FROM events WHERE space_id = $1 AND position = 1`,
  ],
  [
    'cut off',
    298,
    `DELETE FROM events WHERE space_id = $1 AND position >= 298; UPDATE spaces SET head = 297 WHERE space_id = $1`,
  ],
]

describe('events that the owner of the tables has', () => {
  it.each(TAMPERINGS)('%s are reported from position %s on', async (_how, position, statements) => {
    const { path, space, checkpoint } = await sealedSpace()
    expect(firstBad(await exported(path), key, checkpoint)).toBe('none')
    await tamper(space, statements)
    expect(firstBad(await exported(path), key)).toBe(position)
    expect((await problems(space)).join()).toContain(`position ${position} is`)
  })

  const EDITED = `UPDATE events SET wire = wire || ' ' WHERE space_id = $1 AND position = 299`

  it('changed are not signed by the server that sealed them, even after the next event', async () => {
    const { path, space } = await sealedSpace()
    await tamper(space, EDITED)
    await h.as(ada).post(`${path}/speech`, { text: 'And on' }).expect(200)
    await sealed(h.as(ada), `${path}/log`, EVENTS + 1)
    expect(firstBad(await exported(path), key)).toBe(299)
  })

  it('changed are not signed by a server that loads them, even after the next event', async () => {
    const { path, space, eve, restart } = await sealedElsewhere()
    const client = await restart((connection) => tamper(space, EDITED, connection))
    await client.as(eve).post(`${path}/speech`, { text: 'And on' }).expect(200)
    // Waits until a later space is sealed: the turn of this one is over.
    await sealedSpace(client, eve)
    expect(await client.as(eve).get(`${path}/log/checkpoint`).expect(200)).toMatchObject({ size: EVENTS })
  })
})

const ACTS: readonly [string, number, string][] = [
  ['edited', 2, `UPDATE decision_acts SET wire = replace(wire, 'Go', 'No') WHERE space_id = $1 AND position = 2`],
  ['deleted', 2, 'DELETE FROM decision_acts WHERE space_id = $1 AND position = 2'],
  [
    'swapped',
    2,
    `UPDATE decision_acts a SET wire = o.wire FROM decision_acts o
     WHERE a.space_id = $1 AND o.space_id = $1 AND a.position IN (2, 3) AND o.position = 5 - a.position`,
  ],
  ['cut off', 4, 'DELETE FROM decision_acts WHERE space_id = $1 AND position = 4'],
]

describe('acts that the owner of the tables has', () => {
  it.each(ACTS)('%s are reported from position %s on', async (_how, position, statements) => {
    const path = await h.openSpace(ada)
    const space = path.split('/').at(-1) as string
    for (const text of ['Go 1', 'Go 2', 'Go 3', 'Go 4'])
      await h.as(ada).post(`${path}/decisions`, { proposed_by: 'Ada', text }).expect(200)
    await sealed(h.as(ada), `${path}/log`, 4, 'decisions')
    await tamper(space, statements)
    const { text } = await h.as(ada).get(`${path}/log/export?tree=decisions`)
    expect(firstBad(text, key)).toBe(position)
    expect((await problems(space)).join()).toContain(`acts as sealed: position ${position} is`)
  })
})

const AT = (position: number) =>
  `(SELECT entry_id FROM audit_positions WHERE tenant_id = $1 AND position = ${position})`
const ENTRIES: readonly [string, number, string][] = [
  ['edited', 2, `UPDATE audit_entries SET details = '{"before":"G.","after":"H."}' WHERE entry_id = ${AT(2)}`],
  ['deleted', 2, `DELETE FROM audit_entries WHERE entry_id = ${AT(2)}`],
  [
    'swapped',
    2,
    `UPDATE audit_positions SET position = -position WHERE tenant_id = $1 AND position IN (2, 3);
     UPDATE audit_positions SET position = 5 + position WHERE tenant_id = $1 AND position < 0`,
  ],
  [
    'deleted with their positions',
    3,
    `DELETE FROM audit_entries WHERE entry_id = ${AT(3)};
     DELETE FROM audit_positions WHERE tenant_id = $1 AND position = 3`,
  ],
]

describe('entries of the security log that the owner of the tables has', () => {
  it.each(ENTRIES)('%s are reported from position %s on', async (_how, position, statements) => {
    const grace = await h.registerHuman('Grace')
    const { tenant_id } = await h.as(grace).post('/api/tenants', { name: 'Acme' }).expect(200)
    for (const name of ['G.', 'Gr.', 'Gra.'])
      await h.as(grace).patch(`/api/actors/${grace.actor_id}`, { display_name: name }).expect(200)
    await sealed(h.as(grace), '/api/audit/log', 3)
    await tamper(
      tenant_id,
      `ALTER TABLE audit_entries DISABLE TRIGGER USER; ${statements}; ALTER TABLE audit_entries ENABLE TRIGGER USER`,
    )
    const { text } = await h.as(grace).get('/api/audit/log/export')
    expect(firstBad(text, key)).toBe(position)
    const [json = ''] = await operator('check', '--json')
    expect(JSON.parse(json).problems).toContainEqual({
      tenant_id,
      problem: expect.stringMatching(new RegExp(`^security log as sealed: position ${position} is`)),
    })
  })
})

/** Seals a space. `restart` stops that server, changes the database and starts another server. */
async function sealedElsewhere() {
  const connection = await freshDatabase()
  const first = await startServer(connection)
  const eve = await new Client(first.url).registerHuman('Eve')
  const found = await sealedSpace(new Client(first.url), eve)
  const restart = async (change: (connection: ConnectionOptions) => Promise<unknown>): Promise<Client> => {
    await first.stop()
    await change(connection)
    const second = await startServer(connection)
    onTestFinished(() => second.stop())
    return new Client(second.url)
  }
  return { ...found, eve, restart }
}

const CHANGED = `UPDATE events SET wire = replace(wire, 'Event 5"', 'Event V"') WHERE space_id = $1 AND position = 5`

/** Statements after which a changed log looks unsealed. */
const BEGUN_ANEW: readonly [string, string][] = [
  ['emptied', `UPDATE log_trees SET size = 0, frontier = '', marks = '', checkpoint = NULL, signed_by = NULL`],
  ['deleted', 'DELETE FROM log_trees'],
]

describe.each(BEGUN_ANEW)('a log whose tree the owner of the tables has %s', (_how, ending) => {
  const anew = `${CHANGED}; DELETE FROM log_tiles WHERE space_id = $1; ${ending} WHERE space_id = $1`

  it('is not signed by the server that has sealed it', async () => {
    const { path, space } = await sealedSpace()
    await tamper(space, anew)
    await h.as(ada).post(`${path}/speech`, { text: 'And on' }).expect(200)
    // Waits until a later space is sealed: the turn of this one is over.
    await sealedSpace()
    await h.as(ada).get(`${path}/log/checkpoint`).expect(409)
  })

  it('is signed by a server that starts afterwards, and detected only by an earlier checkpoint', async () => {
    const { path, space, checkpoint, eve, restart } = await sealedElsewhere()
    const client = await restart((connection) => tamper(space, anew, connection))
    await client.as(eve).post(`${path}/speech`, { text: 'And on' }).expect(200)
    await sealed(client.as(eve), `${path}/log`, EVENTS + 1)
    const { text } = await client.as(eve).get(`${path}/log/export`)
    expect(firstBad(text, key)).toBe('none')
    expect(() => readLog(text, key, checkpoint)).toThrow(`its first ${EVENTS} entries are not those`)
  })
})

/** The sealed text of an event or act. */
const LINE = `'{"nonce":"' || encode(nonce, 'hex') || '","entry":' || wire || '}'`

/** Signs a changed log with another key, in every place that the server reads. */
async function forge(space: string, connection = h.connection): Promise<string> {
  await tamper(space, CHANGED, connection)
  const { rows } = await query(connection, `SELECT ${LINE} AS line FROM events WHERE space_id = $1 ORDER BY position`, [
    space,
  ])
  const { rows: trees } = await query(
    connection,
    `SELECT checkpoint FROM log_trees WHERE space_id = $1 AND tree = 'events'`,
    [space],
  )
  const tree = new Frontier()
  let tile = EMPTY_ROOT
  const leaves = rows.map(({ line }) => leafHash(Buffer.from(line)))
  for (const leaf of leaves)
    tree.append(leaf, (height, _, hash) => {
      if (height === TILE_HEIGHT) tile = hash
    })
  const forger = new Signer(Buffer.alloc(32, 9))
  const { origin = '' } = parseCheckpoint(trees[0].checkpoint) ?? {}
  const marks = Buffer.concat(leaves.map(markOf))
  await query(connection, `UPDATE log_tiles SET hash = $2, marks = $3 WHERE space_id = $1 AND tree = 'events'`, [
    space,
    tile,
    marks.subarray(0, TILE * MARK_BYTES),
  ])
  await query(
    connection,
    `UPDATE log_trees SET frontier = $2, marks = $3, checkpoint = $4, signed_by = $5
     WHERE space_id = $1 AND tree = 'events'`,
    [
      space,
      tile,
      marks.subarray(TILE * MARK_BYTES),
      forger.sign(checkpointText({ origin, size: tree.size, root: tree.root })),
      forger.key,
    ],
  )
  return forger.key
}

describe('a changed log that is signed with another valid key', () => {
  it('is not signed by the server that has sealed it', async () => {
    const { path, space } = await sealedSpace()
    const other = await forge(space)
    await h.as(ada).post(`${path}/speech`, { text: 'And on' }).expect(200)
    await sealedSpace()
    await h
      .as(ada)
      .get(`${path}/log/checkpoint`)
      .expect(409, /^Another key has signed this history/)
    expect((await problems(space)).join()).toContain(`its checkpoint is signed with another key (${other})`)
  })

  it('is not signed by a server that starts afterwards', async () => {
    const { path, space, eve, restart } = await sealedElsewhere()
    const client = await restart((connection) => forge(space, connection))
    await client.as(eve).post(`${path}/speech`, { text: 'And on' }).expect(200)
    await sealedSpace(client, eve)
    await client
      .as(eve)
      .get(`${path}/log/checkpoint`)
      .expect(409, /^Another key has signed this history/)
  })
})

describe('a checkpoint by another key or of another log', () => {
  it('is reported', async () => {
    const { path, space } = await sealedSpace()
    const { space: another } = await sealedSpace()
    await tamper(space, `UPDATE log_trees SET signed_by = 'another+00000000+AAAA' WHERE space_id = $1`)
    await h
      .as(ada)
      .get(`${path}/log/checkpoint`)
      .expect(409, /^Another key has signed this history/)
    expect((await problems(space)).join()).toContain('its checkpoint is signed with another key')
    await tamper(
      another,
      `UPDATE log_trees SET checkpoint = o.checkpoint FROM log_trees o
       WHERE o.space_id = '${space}' AND o.tree = 'events' AND log_trees.space_id = $1`,
    )
    expect((await problems(another)).join()).toContain('its checkpoint is of another log')
  })
})

describe('a damaged tree', () => {
  const SPOILED: readonly [string, string, RegExp][] = [
    [
      'a different edge',
      `UPDATE log_trees SET frontier = sha256('x') WHERE space_id = $1`,
      /its edge, from which it goes on/,
    ],
    [
      'an additional tile of a higher level',
      `INSERT INTO log_tiles (tenant_id, space_id, tree, level, index, hash)
       SELECT tenant_id, space_id, tree, 2, 0, sha256('x') FROM log_trees WHERE space_id = $1`,
      /its tile 2\/0 is beyond its end/,
    ],
    [
      'no row, though later entries of another log are sealed',
      'DELETE FROM log_trees WHERE space_id = $1',
      /position 1 is not/,
    ],
    [
      'no sealed entries, though later entries of another log are sealed',
      `UPDATE log_trees SET size = 0, marks = '', frontier = '', checkpoint = NULL, signed_by = NULL WHERE space_id = $1`,
      /position 1 is not sealed, and what came later elsewhere is/,
    ],
  ]
  it.each(SPOILED)('is reported: %s', async (_what, statements, problem) => {
    const { space } = await sealedSpace()
    const { space: another } = await sealedSpace()
    await tamper(another, `UPDATE log_trees SET sealed_at = now() + interval '6 minutes' WHERE space_id = $1`)
    expect(await problems(space)).toEqual([])
    await tamper(space, statements)
    expect((await problems(space)).join()).toMatch(problem)
    await tamper(another, `UPDATE log_trees SET sealed_at = now() WHERE space_id = $1`)
  })
})

describe('a redaction', () => {
  it('keeps its position, and the proofs of the other entries', async () => {
    const { path, space, checkpoint } = await sealedSpace()
    const [event] = await h.as(ada).get(`${path}/events?limit=1`).expect(200)
    await operator('event', 'redact', DEFAULT_TENANT, space, event.event_id, '--by', 'Ada', '--yes')
    const log = readLog(await exported(path), key, checkpoint)
    expect(log).toMatchObject({ redactions: 1, redacted: [{ position: 1 }] })
    expect(await problems(space, '')).toEqual([])
    const receipt = await h.as(ada).get(`${path}/log/proof?event_id=${event.event_id}`).expect(200)
    expect(receipt.entries[0].redacted).toMatchObject({ erasure_id: log.redacted[0]?.erasure_id })
  })

  it('of an unsealed event keeps the hash of the original', async () => {
    const path = await h.openSpace(ada)
    const space = path.split('/').at(-1) as string
    const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'Oops' }).expect(200)
    await operator('event', 'redact', DEFAULT_TENANT, space, event_id, '--by', 'Ada', '--yes')
    await sealed(h.as(ada), `${path}/log`, 1)
    expect(readLog(await exported(path), key)).toMatchObject({ redactions: 1 })
  })

  it('of a decision keeps the proofs of its acts', async () => {
    const path = await h.openSpace(ada)
    const space = path.split('/').at(-1) as string
    const proposal = { proposed_by: 'Ada', text: 'Go' }
    const { decision_id } = await h.as(ada).post(`${path}/decisions`, proposal).expect(200)
    await sealed(h.as(ada), `${path}/log`, 1, 'decisions')
    await operator('decision', 'redact', DEFAULT_TENANT, space, decision_id, '--by', 'Ada', '--yes')
    const { text } = await h.as(ada).get(`${path}/log/export?tree=decisions`)
    expect(readLog(text, key)).toMatchObject({ redacted: [{ position: 1 }] })
    expect(await problems(space, '')).toEqual([])
  })
})

describe('a redaction that the owner of the tables has forged', () => {
  const HASH = `sha256('\\x00'::bytea || convert_to(${LINE}, 'UTF8'))`
  const erasure = (position: number) =>
    `INSERT INTO erasures (tenant_id, space_id, noun, event_id, subject_id, leaf_hash, events, requested_by, started_at,
       completed_at)
     SELECT tenant_id, space_id, 'event', event_id, event_id::text, ${HASH}, 1, 'Ada', now(), now()
     FROM events WHERE space_id = $1 AND position = ${position};`

  it('of an event that keeps a text has no proof, and is reported', async () => {
    const { path, space } = await sealedSpace()
    const [, second] = await h.as(ada).get(`${path}/events?limit=2`).expect(200)
    await tamper(
      space,
      `${erasure(2)} UPDATE events SET nonce = '', wire = replace(wire, 'Event 2"', 'I agree"') WHERE space_id = $1 AND position = 2`,
    )
    expect(firstBad(await exported(path), key)).toBe(2)
    const receipt = await h.as(ada).get(`${path}/log/proof?event_id=${second.event_id}`).expect(200)
    expect(() => readReceipt(JSON.stringify(receipt), key)).toThrow('position 2 should be redacted')
    expect((await problems(space)).join()).toContain('position 2 should be redacted, and still says something')
  })

  it('without an entry of the security log is reported', async () => {
    const { space } = await sealedSpace()
    await tamper(
      space,
      `${erasure(2)} UPDATE events SET nonce = '', wire = (wire::jsonb || '{"text": "[redacted]", "references": [], "metadata": null,
         "redacted_at": "2026-01-01T00:00:00.000Z"}')::text WHERE space_id = $1 AND position = 2`,
    )
    expect((await problems(space, 'security log')).join()).toMatch(/erasure \S+: the security log does not tell of it/)
  })

  it('of a decision is reported, too', async () => {
    const path = await h.openSpace(ada)
    const space = path.split('/').at(-1) as string
    const proposal = { proposed_by: 'Ada', text: 'Go' }
    const { decision_id } = await h.as(ada).post(`${path}/decisions`, proposal).expect(200)
    await sealed(h.as(ada), `${path}/log`, 1, 'decisions')
    await tamper(
      space,
      `INSERT INTO erasures (tenant_id, space_id, noun, subject_id, act_hashes, events, requested_by, started_at, completed_at)
       SELECT tenant_id, space_id, 'decision', '${decision_id}', json_build_object(position, encode(${HASH}, 'hex')), 0, 'Ada',
         now(), now() FROM decision_acts WHERE space_id = $1;
       UPDATE decision_acts SET nonce = '', wire = replace(wire, '"Go"', '"Stop"') WHERE space_id = $1`,
    )
    const { text } = await h.as(ada).get(`${path}/log/export?tree=decisions`)
    expect(firstBad(text, key)).toBe(1)
    const receipt = await h.as(ada).get(`${path}/log/proof?decision_id=${decision_id}`).expect(200)
    expect(() => readReceipt(JSON.stringify(receipt), key)).toThrow('position 1 should be redacted')
    expect((await problems(space)).join()).toContain('position 1 should be redacted')
    expect((await problems(space, 'security log')).join()).toContain('does not tell of it')
  })
})

describe('the security log', () => {
  it('has proofs for its auditors, which reveal a deleted row', async () => {
    const grace = await h.registerHuman('Grace')
    await h.as(grace).post('/api/tenants', { name: 'Acme' }).expect(200)
    for (const name of ['G.', 'Gr.', 'Gra.'])
      await h.as(grace).patch(`/api/actors/${grace.actor_id}`, { display_name: name }).expect(200)
    const entries = await h.as(grace).get('/api/audit').expect(200)
    await sealed(h.as(grace), '/api/audit/log', entries.length)
    const exportedAudit = async () => (await h.as(grace).get('/api/audit/log/export')).text
    expect(readLog(await exportedAudit(), key).origin).toMatchObject({ spaceId: null, tree: 'audit' })
    const receipt = await h.as(grace).get(`/api/audit/log/proof?entry_id=${entries[1].entry_id}`).expect(200)
    expect(JSON.parse(receipt.entries[0].line).entry).toMatchObject({
      entry_id: entries[1].entry_id,
      action: 'actor.renamed',
    })
    await query(
      h.connection,
      `ALTER TABLE audit_entries DISABLE TRIGGER USER;
       DELETE FROM audit_entries WHERE entry_id = '${entries[1].entry_id}';
       ALTER TABLE audit_entries ENABLE TRIGGER USER`,
    )
    const bad = firstBad(await exportedAudit(), key)
    expect(bad).toBe(entries.length - 1)
    const [json = ''] = await operator('check', '--json')
    expect(JSON.parse(json).problems).toContainEqual({
      tenant_id: receipt.checkpoint.split('/')[1],
      problem: expect.stringContaining('security log as sealed'),
    })
  })
})

describe('a new epoch', () => {
  it('restarts all logs, and contradicts earlier checkpoints', async () => {
    const { path, checkpoint } = await sealedSpace()
    const [line = ''] = await operator('log', 'new-epoch', '--yes')
    const [, anew] = /^Began \d+ histories again, in epoch (\d+)\. /.exec(line) ?? []
    const epoch = Number(anew)
    await eventually(async () => {
      const { status, body } = await h.as(ada).get(`${path}/log/checkpoint`)
      return status === 200 && body.epoch === epoch && body.size === EVENTS
    })
    const text = await exported(path)
    expect(readLog(text, key).origin.epoch).toBe(epoch)
    expect(() => readLog(text, key, checkpoint)).toThrow(`its epoch is ${epoch}, and that of the earlier checkpoint 1`)
    // The number contains the time, so that two copies of a backup begin different epochs.
    expect(epoch).toBeGreaterThan((Date.now() - Date.parse('2020-01-01')) / 1000 - 60)

    // A later log is in the new epoch, too: the backup may lack an earlier log of its space.
    const later = await h.openSpace(ada)
    expect(await h.as(ada).get(`${later}/log/checkpoint`).expect(200)).toMatchObject({ epoch, size: 0 })
    await h.as(ada).post(`${later}/speech`, { text: 'Hi' }).expect(200)
    expect(await sealed(h.as(ada), `${later}/log`, 1)).toMatchObject({ epoch })
    const [again = ''] = await operator('log', 'new-epoch', '--yes', '--json')
    expect(JSON.parse(again).epoch).toBeGreaterThan(epoch)
  })
})
