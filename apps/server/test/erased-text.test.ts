import { createHash } from 'node:crypto'
import { MARK_BYTES } from '@collab-spaces/merkle'
import { CATALOGUE } from '@collab-spaces/operator'
import { eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { operations } from './support/document.js'
import { hold, waitingForRow } from './support/locks.js'
import { operatorOf } from './support/operator.js'
import { sealed } from './support/sealed.js'
import { useServer } from './support/server.js'
import { World } from './support/world.js'

const h = useServer()
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'
/** One word, so that the search finds it. */
const SECRET = 'xylophon'

/** Returns the rows of all tables as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await query(
    h.connection,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  )
  const found = await Promise.all(
    tables.map(({ relname }) => query(h.connection, `SELECT t::text AS row FROM ${relname} t`)),
  )
  return found.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}

/** The columns that a redaction erases. */
const REDACTED = Object.entries(CATALOGUE).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([column, erasure]) => ('redacts' in erasure ? [{ table, column }] : [])),
)

/** Columns of hashes and nonces, which have no readable text. */
const OPAQUE = ['nonce', 'request_hash', 'target_key', 'digest', 'sha256']

/** Returns the values of a column in a space that a redaction must erase. */
async function secretsIn(spaceId: string, table: string, column: string): Promise<string[]> {
  const { rows } = await query(
    h.connection,
    `SELECT ${column}::text AS value FROM ${table} WHERE space_id = $1 AND ${column}::text NOT IN ('', '\\x')`,
    [spaceId],
  )
  const values = rows.map(({ value }) => String(value))
  return OPAQUE.includes(column) ? values : values.filter((value) => value.includes(SECRET))
}

/** Creates a space in which every text has the secret. */
async function spaceOfSecrets() {
  const { ada, client } = await h.adasSpace()
  const scout = await h.registerAgent(ada, 'Scout')
  const once = { headers: { 'Idempotency-Key': 'once' } }
  const { space_id } = await client
    .post('/api/spaces', {
      space_id: `s-${Date.now()}`,
      title: SECRET,
      description: SECRET,
      links: [`https://x.org/${SECRET}`],
    })
    .expect(200)
  const path = `/api/spaces/${space_id}`
  await h.as(scout).post(`${path}/join`).expect(200)
  const { file_id } = await client
    .post(`${path}/files?name=${SECRET}`, SECRET, { headers: { 'content-type': `text/${SECRET}` } })
    .expect(200)
  const event = {
    file_ids: [file_id],
    speaker_id: `the ${SECRET}`,
    speaker_name: SECRET,
    speaker_type: SECRET,
    text: `The word is ${SECRET}`,
    references: [`https://example.org/${SECRET}`],
    metadata: { note: SECRET, mentions: [scout.actor_id, SECRET] },
  }
  const { event_id } = await client.post(`${path}/events`, event, once).expect(200)
  const { thread_id } = await client.post(`${path}/threads`, { parent_event_id: event_id, subject: SECRET }).expect(200)
  const target = { target_uri: `https://example.org/${SECRET}`, link_type: SECRET, attributes: { note: SECRET } }
  const { link_id } = await client.post(`${path}/links`, target).expect(200)
  const options = [
    { id: SECRET, label: SECRET, description: SECRET },
    { id: 'other', label: 'Other' },
  ]
  const action = { type: SECRET, title: SECRET, arguments: { [SECRET]: SECRET }, editable: true }
  const { decision_id } = await client
    .post(`${path}/decisions`, { proposed_by: SECRET, text: SECRET, options, action }, once)
    .expect(200)
  const decision = `${path}/decisions/${decision_id}`
  await client.post(`${decision}/reviews`, { verdict: 'approve', note: SECRET }).expect(200)
  const choice = { option: SECRET, arguments: { edited: SECRET } }
  const settlement = { status: 'resolved', resolved_by: SECRET, resolution: SECRET, ...choice }
  const { edit } = await client.put(`${decision}/resolve`, settlement).expect(200)
  await client.post(`${decision}/use`, { digest: edit.digest }).expect(200)
  await client.post(`${path}/threads`, { decision_id, subject: SECRET }).expect(200)
  const claims: string[] = []
  for (const subject of [{ event_id }, { decision_id }, { key: SECRET }]) {
    const { claim_id } = await client.post(`${path}/claims`, { ...subject, note: SECRET }).expect(200)
    await client.put(`${path}/progress`, { claim_id, text: SECRET }).expect(200)
    claims.push(claim_id)
  }
  const through = [{ space_id, event_id }]
  await h.as(scout).post('/api/actors/me/inbox/done', { through, outcome: 'declined', reason: SECRET }).expect(200)
  await client.get(`${path}/summary?end=2099-01-01`).expect(200)
  await eventually(async () => (await secretsIn(space_id, 'work_claims', 'progress')).length === claims.length)
  return {
    ada,
    scout,
    client,
    path,
    space_id,
    event_id,
    thread_id,
    link_id,
    decision_id,
    claim_id: claims[2] as string,
  }
}

/** Returns all answers of the API about a space to its participants. */
async function everyAnswer({ client, path, ...ids }: Awaited<ReturnType<typeof spaceOfSecrets>>): Promise<string> {
  const { space_id, event_id, thread_id, link_id, decision_id, claim_id, scout } = ids
  const world = new World(client, {
    ...{ space_id, event_id, thread_id, link_id, decision_id, claim_id },
    participant_id: scout.actor_id,
  })
  const reads = operations.filter(
    ({ id, method, names }) => method === 'GET' && names.includes('space_id') && !id.includes('stream'),
  )
  expect(reads.length).toBeGreaterThan(20)
  const texts: string[] = []
  for (const operation of reads) {
    const answer = await world
      .perform(operation)
      .expect(200)
      .catch((error: Error) => {
        throw new Error(`${operation.id}: ${error.message}`)
      })
    texts.push(JSON.stringify(answer))
  }
  for (const target of [
    `${path}/log/export`,
    `${path}/log/export?tree=decisions`,
    `${path}/log/proof?decision_id=${decision_id}`,
    `${path}/transcript`,
    `/api/search?q=${SECRET}&space_id=${space_id}`,
    '/api/actors/me/inbox',
    '/api/spaces',
    '/api/audit',
  ]) {
    for (const actor of [client, client.as(ids.scout)]) texts.push((await actor.get(target)).text)
  }
  return texts.join('\n')
}

describe('text that people write', () => {
  it('is in no column, row, answer or proof after its redaction', async () => {
    const found = await spaceOfSecrets()
    const { client, path, space_id, event_id, thread_id, link_id, decision_id, claim_id } = found
    await sealed(client, `${path}/log`, 1)
    await sealed(client, `${path}/log`, 4, 'decisions')
    const before = new Map<string, string[]>()
    for (const { table, column } of REDACTED) {
      before.set(`${table}.${column}`, await secretsIn(space_id, table, column))
    }
    // Every redacted column must have the secret before.
    expect([...before].filter(([, values]) => values.length === 0).map(([name]) => name)).toEqual([])
    expect(await everyAnswer(found)).toContain(SECRET)

    const by = ['--by', 'Ada', '--yes']
    const listed = JSON.parse((await operate('claim', 'list', DEFAULT_SCOPE, space_id, '--json')).join('\n'))
    expect(listed).toContainEqual(expect.objectContaining({ claim_id, subject: `key:${SECRET}`, note: SECRET }))
    await operate('space', 'redact', DEFAULT_SCOPE, space_id, ...by)
    for (const [noun, id] of Object.entries({
      event: event_id,
      decision: decision_id,
      thread: thread_id,
      link: link_id,
      claim: claim_id,
    })) {
      const name = noun[0]?.toUpperCase() + noun.slice(1)
      expect(await operate(noun, 'redact', DEFAULT_SCOPE, space_id, id, ...by)).toEqual([`${name} ${id} is redacted.`])
      expect(await operate(noun, 'redact', DEFAULT_SCOPE, space_id, id, ...by)).toEqual([
        `${name} ${id} was redacted before.`,
      ])
    }

    const rows = await dump()
    const left = [...before].filter(([, values]) => values.some((value) => rows.includes(value)))
    expect(left.map(([name]) => name)).toEqual([])
    expect(rows).not.toContain(SECRET)
    expect(await everyAnswer(found)).not.toContain(SECRET)
    const [json = ''] = await operate('check', '--json')
    expect(JSON.parse(json).problems.filter((problem: { space_id: string }) => problem.space_id === space_id)).toEqual(
      [],
    )
  })

  it('is not in the subject of a discussion that starts while its decision is redacted', async () => {
    const { client, path } = await h.adasSpace()
    const { decision_id } = await client.post(`${path}/decisions`, { proposed_by: 'Ada', text: SECRET }).expect(200)
    const place = [DEFAULT_SCOPE, spaceIdOf(path)]
    const redaction = await hold(
      h.connection,
      'UPDATE spaces SET redactions = redactions + 1 WHERE tenant_id = $1 AND space_id = $2',
      place,
    )
    const say = (text: string) => client.post(`${path}/speech`, { text, decision_id })
    const early = Promise.all(['Why?', 'When?'].map(say))
    await waitingForRow(h.connection)
    await redaction.query(`UPDATE decisions SET text = '[redacted]' WHERE decision_id = $1`, [decision_id])
    await redaction.query('COMMIT')
    // The event whose statement waited is to be sent again.
    expect((await early).map(({ status }) => status)).toContain(503)
    const { thread_id } = await say('Where?').expect(200)
    const { thread } = await client.get(`${path}/threads/${thread_id}`).expect(200)
    expect(thread).toMatchObject({ decision_id, subject: '[redacted]' })
  })

  it('is erased with old events, also from claims, reasons and speakers', async () => {
    const { path, space_id } = await spaceOfSecrets()
    await operate('space', 'redact', DEFAULT_SCOPE, space_id, '--before', '0d', '--by', 'Ada', '--yes')
    for (const [table, column] of [
      ['events', 'wire'],
      ['events', 'speaker_id'],
      ['mentions', 'participant_id'],
      ['done_marks', 'reason'],
    ])
      expect(await secretsIn(space_id, table as string, column as string), column).toEqual([])
    const { rows } = await query(
      h.connection,
      `SELECT note, progress FROM work_claims WHERE space_id = $1 AND starts_with(subject, 'event:')`,
      [spaceIdOf(path)],
    )
    expect(rows).toEqual([{ note: null, progress: null }])
  })

  it('is redacted without the name of a poster who is the speaker, and without the IDs of members', async () => {
    const { ada, client, path } = await h.adasSpace()
    const scout = await h.registerAgent(ada, 'Scout')
    const { event_id } = await client.post(`${path}/speech`, { text: SECRET }).expect(200)
    const other = { speaker_id: scout.actor_id, speaker_name: SECRET, speaker_type: 'agent', text: SECRET }
    const claimed = await client.post(`${path}/events`, other).expect(200)
    for (const id of [event_id, claimed.event_id])
      await operate('event', 'redact', DEFAULT_SCOPE, spaceIdOf(path), id, '--by', 'Ada', '--yes')
    expect(await client.get(`${path}/events`).expect(200)).toMatchObject([
      { speaker_id: ada.actor_id, speaker_name: ada.display_name, speaker_type: 'human' },
      { speaker_id: scout.actor_id, speaker_name: '[redacted]', speaker_type: 'agent', posted_by: ada.actor_id },
    ])
  })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns the hexadecimal hashes in a text, and the marks of entries. */
function hashesIn(text: string): ReadonlySet<string> {
  const hex = [...text.matchAll(/[0-9a-f]{64}/g)].map(([found]) => found)
  const base64 = [...text.matchAll(/[A-Za-z0-9+/]{43}=/g)].map(([found]) =>
    Buffer.from(found, 'base64').toString('hex'),
  )
  const marks = [...text.matchAll(/"tail":"([^"]*)"/g)].flatMap(([, found]) =>
    Buffer.from(String(found), 'base64')
      .toString('hex')
      .match(new RegExp(`.{${2 * MARK_BYTES}}`, 'g')),
  )
  return new Set([...hex, ...base64, ...marks.map(String)])
}

describe('a redacted PIN', () => {
  it('cannot be found by brute force', async () => {
    const { client, path } = await h.adasSpace()
    const say = (text: string, key?: string) =>
      client.post(`${path}/speech`, { text }, key ? { headers: { 'Idempotency-Key': key } } : {}).expect(200)
    const before = await say('Before')
    const event = await say('4711', 'pin')
    const after = await say('After')
    const proposal = { proposed_by: 'Ada', text: '4711' }
    const headers = { 'Idempotency-Key': 'decide' }
    const { decision_id } = await client.post(`${path}/decisions`, proposal, { headers }).expect(200)
    const [act] = await client.get(`${path}/decisions/${decision_id}/acts`).expect(200)

    /** Returns the texts with a PIN that a stored hash may be of. */
    const candidates = (pin: string): string[] => {
      const wires = [JSON.stringify({ ...event, text: pin }), JSON.stringify({ ...act, text: pin })]
      const requests = [
        JSON.stringify(['speech', { space_id: spaceIdOf(path), text: pin }]),
        JSON.stringify(['propose', { space_id: spaceIdOf(path), ...proposal, text: pin }]),
      ]
      return [pin, ...requests, ...wires, ...wires.flatMap((wire) => [`\0${wire}`, `\0{"nonce":"","entry":${wire}}`])]
    }
    /** Returns the PINs that a hash in a text reveals, also by its first bytes. */
    const guess = (output: string): string[] => {
      const hashes = hashesIn(output)
      return Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0')).filter((pin) =>
        candidates(pin).some((text) => {
          const hash = sha256(text).toString('hex')
          return hashes.has(hash) || hashes.has(hash.slice(0, 2 * MARK_BYTES))
        }),
      )
    }
    await sealed(client, `${path}/log`, 3)
    await sealed(client, `${path}/log`, 1, 'decisions')
    // The hashes of the requests reveal it until the redaction.
    expect(guess(await dump())).toContain('4711')

    const space = spaceIdOf(path)
    await operate('event', 'redact', DEFAULT_SCOPE, space, event.event_id, '--by', 'Ada', '--yes')
    await operate('decision', 'redact', DEFAULT_SCOPE, space, decision_id, '--by', 'Ada', '--yes')
    const answers = [
      'export',
      'export?tree=decisions',
      `proof?decision_id=${decision_id}`,
      ...[before, event, after].map(({ event_id }) => `proof?event_id=${event_id}`),
    ]
    const outputs = [await dump(), ...(await operate('erasure', 'list', '--json'))]
    for (const answer of answers) outputs.push((await client.get(`${path}/log/${answer}`)).text)
    expect(guess(outputs.join('\n'))).toEqual([])
    // The redaction erased the request's hash, so a retry returns the redacted event without a comparison.
    expect(await say('4711', 'pin')).toMatchObject({ event_id: event.event_id, text: '[redacted]' })
    const again = await client.post(`${path}/decisions`, proposal, { headers }).expect(200)
    expect(again).toMatchObject({ decision_id, text: '[redacted]' })
  })
})
