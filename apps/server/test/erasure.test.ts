import { createHash, randomUUID } from 'node:crypto'
import { checkDatabase, deleteSpace, redactOldEvents } from '@collab-spaces/operator'
import { type Actor, eventually, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { parseBefore } from '../src/operator/arguments.js'
import { type Operation, operations } from './support/document.js'
import { hold, waitingForRow } from './support/locks.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { StreamReader } from './support/stream.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

const h = useServer()
/** Another server with the same database. */
const other = useServer({}, h)
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'
const SECRET = 'Xylophone'

const redact = (path: string, eventId: string, ...flags: string[]) =>
  operate('event', 'redact', DEFAULT_SCOPE, spaceIdOf(path), eventId, '--by', 'Ada', '--reason', 'Article 17', ...flags)
const remove = (path: string, ...flags: string[]) =>
  operate('space', 'delete', DEFAULT_SCOPE, spaceIdOf(path), '--by', 'Ada', ...flags)

/** Returns all rows of the database as text. */
async function allRows(): Promise<string> {
  const { rows: tables } = await query(
    h.connection,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  )
  const found = await Promise.all(
    tables.map(({ relname }) => query(h.connection, `SELECT t::text AS row FROM ${relname} t`)),
  )
  return found.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}

/** Returns the leaf hash of a stored event or act with its nonce. */
const leafOf = ({ nonce, wire }: { readonly nonce: Buffer; readonly wire: string }): string =>
  createHash('sha256')
    .update(`\0{"nonce":"${nonce.toString('hex')}","entry":${wire}}`)
    .digest('hex')

/** Creates a space with a secret in one event, and a thread about it. */
async function spaceWithSecret() {
  const { ada, client, path } = await h.adasSpace()
  await client.post(`${path}/join`).expect(200)
  const before = await client.post(`${path}/speech`, { text: 'Before' }).expect(200)
  const event = {
    speaker_id: ada.actor_id,
    speaker_name: 'Ada',
    text: `The word is ${SECRET}`,
    parent_event_id: before.event_id,
    references: [`https://example.org/${SECRET}`],
    metadata: { note: SECRET, mentions: [ada.actor_id, `${SECRET} too`] },
  }
  const secret = await client.post(`${path}/events`, event, { headers: { 'Idempotency-Key': 'once' } }).expect(200)
  const start = { parent_event_id: secret.event_id, subject: 'About it' }
  const thread = await client.post(`${path}/threads`, start).expect(200)
  const after = await client.post(`${path}/speech`, { text: 'After', thread_id: thread.thread_id }).expect(200)
  return { ada, client, path, before, secret, after, event }
}

/** Returns every answer that may contain the text of an event. */
async function everyAnswer(actor: Actor, path: string, eventId: string): Promise<string[]> {
  const paths = [
    `${path}/events`,
    `${path}/events?tail=true`,
    `${path}/events/${eventId}`,
    `${path}/transcript`,
    `${path}/activity`,
    `${path}/summary?end=2099-01-01`,
    `${path}/mentions/${actor.actor_id}`,
    `${path}/threads`,
    `/api/search?q=${SECRET}&space_id=${spaceIdOf(path)}`,
  ]
  const answers = await Promise.all([h, other].flatMap((server) => paths.map((target) => server.as(actor).get(target))))
  return answers.map((answer) => {
    answer.expect(200)
    return answer.text
  })
}

describe('operate event redact', () => {
  it('erases the text from every answer and row, and keeps the position of the event', async () => {
    const { ada, client, path, before, secret, after } = await spaceWithSecret()
    expect((await everyAnswer(ada, path, secret.event_id)).filter((text) => text.includes(SECRET)).length).toBe(16)
    const streams = [
      await StreamReader.open(h.as(ada), path, { query: `?since=${secret.event_id}` }),
      await StreamReader.open(other.as(ada), path, { query: `?since=${secret.event_id}` }),
    ]

    expect(await redact(path, secret.event_id, '--yes')).toEqual([`Event ${secret.event_id} is redacted.`])

    const redacted = {
      ...secret,
      text: '[redacted]',
      references: [],
      metadata: { mentions: [ada.actor_id] },
      redacted_at: expect.stringMatching(/Z$/),
    }
    expect(await client.get(`${path}/events`).expect(200)).toEqual([before, redacted, after])
    const answers = await everyAnswer(ada, path, secret.event_id)
    expect(answers.filter((text) => text.includes(SECRET))).toEqual([])
    expect(answers.at(-1)).toBe('[]')
    expect(await client.get(`${path}/mentions/${ada.actor_id}`).expect(200)).toEqual([redacted])
    expect(await allRows()).not.toContain(SECRET)
    for (const stream of streams) await stream.close()
  })

  it('erases the text from the memory of every server', async () => {
    const { ada, client, path, before, secret } = await spaceWithSecret()
    const watching = [await StreamReader.open(h.as(ada), path), await StreamReader.open(other.as(ada), path)]
    // New events are in the tails of both servers.
    const live = await client.post(`${path}/speech`, { text: `Again: ${SECRET}` }).expect(200)
    for (const stream of watching) await stream.read(4)
    for (const { event_id } of [secret, live]) await redact(path, event_id, '--yes')
    for (const server of [h, other]) {
      await eventually(async () => {
        const stream = await StreamReader.open(server.as(ada), path, { query: `?since=${before.event_id}` })
        await stream.read(3)
        await stream.close()
        return stream.events.every(({ text }) => !text.includes(SECRET))
      })
    }
    for (const stream of watching) await stream.close()
  })

  it('makes a retry of the write return the redacted event', async () => {
    const { client, path, secret, event } = await spaceWithSecret()
    await redact(path, secret.event_id, '--yes')
    const again = await client.post(`${path}/events`, event, { headers: { 'Idempotency-Key': 'once' } }).expect(200)
    expect(again).toMatchObject({ event_id: secret.event_id, text: '[redacted]' })
  })

  it('is recorded with the hash of the original, and done once', async () => {
    const { path, secret } = await spaceWithSecret()
    const { rows } = await query(h.connection, 'SELECT nonce, wire FROM events WHERE event_id = $1', [secret.event_id])
    await expect(redact(path, secret.event_id)).rejects.toThrow('To continue, add --yes')
    await redact(path, secret.event_id, '--yes')
    expect(await redact(path, secret.event_id, '--yes')).toEqual([`Event ${secret.event_id} was redacted before.`])
    const [listed] = JSON.parse((await operate('erasure', 'list', '--limit', '1', '--json')).join('\n'))
    expect(listed).toEqual({
      tenant_id: DEFAULT_SCOPE,
      space_id: spaceIdOf(path),
      event_id: secret.event_id,
      redacted: 'event',
      subject_id: secret.event_id,
      events: 1,
      requested_by: 'Ada',
      reason: 'Article 17',
      started_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
    })
    const erased = await query(h.connection, 'SELECT leaf_hash FROM erasures WHERE event_id = $1', [secret.event_id])
    expect(erased.rows.map(({ leaf_hash }) => leaf_hash.toString('hex'))).toEqual([leafOf(rows[0])])
    const audit = JSON.parse((await operate('audit', 'list', '--limit', '1', '--json')).join('\n'))
    expect(audit).toMatchObject([{ action: 'event.redacted', subject_id: secret.event_id, credential_id: 'operator' }])
  })

  it('names an unknown event or tenant', async () => {
    const { path, secret } = await spaceWithSecret()
    for (const id of [NOTHING, 'x']) await expect(redact(path, id, '--yes')).rejects.toThrow('Event not found')
    await expect(redact('/api/spaces/none', secret.event_id, '--yes')).rejects.toThrow('Event not found')
    const elsewhere = ['event', 'redact', NOTHING, 'x', secret.event_id, '--by', 'Ada', '--yes']
    await expect(operate(...elsewhere)).rejects.toThrow('Tenant not found')
  })
})

/** Returns the problems that `operate check` finds, without those of events that the tests backdate after sealing. */
async function problems(): Promise<unknown[]> {
  const found: unknown[] = []
  const report = (problem: { readonly problem: string }) => {
    if (!problem.problem.includes(' as sealed: ')) found.push(problem)
  }
  await checkDatabase(h.connection, null, report, () => {}, new AbortController().signal)
  return found
}

const newestEntry = async () => JSON.parse((await operate('audit', 'list', '--limit', '1', '--json')).join('\n'))[0]

/** Redacts another kind of text in a space of the shared default tenant. */
const redactIn = (path: string, noun: string, ...words: string[]) =>
  operate(noun, 'redact', DEFAULT_SCOPE, spaceIdOf(path), ...words, '--by', 'Ada', '--yes')

/** Returns a word that no other test writes. */
const secretWord = () => `secret${randomUUID().slice(0, 8)}`

describe('operate decision redact', () => {
  /** Creates a decision with a secret in its text, a review and the resolution. */
  async function secretDecision() {
    const secret = secretWord()
    const { ada, client, path } = await h.adasSpace()
    await client.post(`${path}/speech`, { text: 'Something' }).expect(200)
    const proposal = { proposed_by: 'Ada', text: `Shall we tell ${secret}?` }
    const key = { headers: { 'Idempotency-Key': 'once' } }
    const { decision_id } = await client.post(`${path}/decisions`, proposal, key).expect(200)
    const decision = `${path}/decisions/${decision_id}`
    await client.post(`${decision}/reviews`, { verdict: 'approve', note: `${secret}!` }).expect(200)
    const settle = () =>
      client
        .put(`${decision}/resolve`, { status: 'resolved', resolved_by: 'Ada', resolution: `${secret} it is` })
        .expect(200)
    return {
      secret,
      ada,
      client,
      path,
      decision,
      decision_id,
      settle,
      again: () => client.post(`${path}/decisions`, proposal, key),
    }
  }

  it('erases text, resolution and notes from every answer and row, and nothing else', async () => {
    const { secret, ada, client, path, decision, decision_id, settle, again } = await secretDecision()
    const before = await settle()
    const paths = ['/decisions', '/context', '/summary?end=2099-01-01'].map((target) => path + target)
    const answers = async () => {
      const all = [...paths, decision, `${decision}/acts`].map((target) => h.as(ada).get(target))
      return (await Promise.all(all)).map((answer) => {
        answer.expect(200)
        return answer.text
      })
    }
    expect((await answers()).filter((text) => text.includes(secret))).toHaveLength(5)
    const acts = await client.get(`${decision}/acts`).expect(200)

    expect(await redactIn(path, 'decision', decision_id)).toEqual([`Decision ${decision_id} is redacted.`])

    expect((await answers()).filter((text) => text.includes(secret))).toEqual([])
    expect(await allRows()).not.toContain(secret)
    const gone = '[redacted]'
    const redacted = { ...before, text: gone, resolution: gone, proposed_by: gone, resolved_by: gone }
    expect(await client.get(decision).expect(200)).toEqual(redacted)
    const fields: Record<string, object> = {
      proposed: { text: gone, proposed_by: gone },
      reviewed: { note: gone },
      settled: { resolution: gone, resolved_by: gone },
    }
    expect(await client.get(`${decision}/acts`).expect(200)).toEqual(
      acts.map((act: { kind: string }) => ({ ...act, ...fields[act.kind] })),
    )
    expect(await again().expect(200)).toMatchObject({ decision_id, text: '[redacted]', status: 'proposed' })
    expect(await problems()).toEqual([])
    expect(await newestEntry()).toMatchObject({
      action: 'decision.redacted',
      subject_id: decision_id,
      details: { space_id: spaceIdOf(path) },
    })
    const [listed] = JSON.parse((await operate('erasure', 'list', '--limit', '1', '--json')).join('\n'))
    expect(listed).toMatchObject({ event_id: null, redacted: 'decision', subject_id: decision_id, requested_by: 'Ada' })
    const [, line] = await operate('erasure', 'list', '--limit', '1')
    expect(line).toContain(`decision ${decision_id}`)
  })

  it('keeps the hashes of the acts, and can be repeated for later acts', async () => {
    const { client, path, decision, decision_id, settle } = await secretDecision()
    await redactIn(path, 'decision', decision_id)
    const { rows } = await query(h.connection, 'SELECT act_hashes FROM erasures WHERE subject_id = $1', [decision_id])
    expect(Object.keys(rows[0]?.act_hashes)).toEqual(['1', '2'])
    expect(await redactIn(path, 'decision', decision_id)).toEqual([`Decision ${decision_id} was redacted before.`])
    await settle()
    expect(await problems()).toEqual([])
    const { rows: settled } = await query(
      h.connection,
      'SELECT nonce, wire FROM decision_acts WHERE decision_id = $1 AND position = 3',
      [decision_id],
    )
    expect(await redactIn(path, 'decision', decision_id)).toEqual([`Decision ${decision_id} is redacted.`])
    const { rows: kept } = await query(
      h.connection,
      'SELECT act_hashes FROM erasures WHERE subject_id = $1 ORDER BY started_at',
      [decision_id],
    )
    expect(kept[1]?.act_hashes).toEqual({ 3: leafOf(settled[0]) })
    expect(await client.get(decision).expect(200)).toMatchObject({ status: 'resolved', resolution: '[redacted]' })
    expect(await problems()).toEqual([])
  })
})

describe('operate space, thread and link redact', () => {
  it('erase the title, description, subject and attributes, and nothing else', async () => {
    const secret = secretWord()
    const { ada, client } = await h.adasSpace()
    const links = [`https://example.org/${secret}`]
    const { space_id } = await client
      .post('/api/spaces', { space_id: randomUUID(), title: secret, description: secret, links })
      .expect(200)
    const path = `/api/spaces/${space_id}`
    const { event_id } = await client.post(`${path}/speech`, { text: 'Something' }).expect(200)
    const thread = await client.post(`${path}/threads`, { parent_event_id: event_id, subject: secret }).expect(200)
    const target = { target_uri: 'https://example.org/', attributes: { note: secret } }
    const link = await client.post(`${path}/links`, target).expect(200)
    await client.get(`${path}/summary?end=2099-01-01`).expect(200)

    for (const [noun, id, ...words] of [
      ['Space', space_id],
      ['Thread', thread.thread_id, thread.thread_id],
      ['Link', link.link_id, link.link_id],
    ]) {
      const redactOne = () => redactIn(path, String(noun).toLowerCase(), ...words)
      expect(await redactOne()).toEqual([`${noun} ${id} is redacted.`])
      expect(await redactOne()).toEqual([`${noun} ${id} was redacted before.`])
      expect(await newestEntry()).toMatchObject({ action: `${String(noun).toLowerCase()}.redacted`, subject_id: id })
    }

    expect(await allRows()).not.toContain(secret)
    const status = await h.as(ada).get(`${path}/status`).expect(200)
    expect(status).toMatchObject({
      title: '[redacted]',
      description: '[redacted]',
      links: [],
      status: 'active',
      event_count: 1,
    })
    expect(await client.get(`${path}/threads`).expect(200)).toMatchObject([{ subject: '[redacted]' }])
    expect(await client.get(`${path}/links`).expect(200)).toEqual([
      { ...link, target_uri: 'about:redacted', link_type: '[redacted]', attributes: {} },
    ])
    expect(await problems()).toEqual([])
  })

  it('name an unknown subject, and require --yes', async () => {
    const { path } = await h.adasSpace()
    for (const [noun, ...ids] of [
      ['decision', NOTHING],
      ['thread', 'x'],
      ['link', 'lnk_x'],
    ]) {
      await expect(redactIn(path, noun as string, ...ids)).rejects.toThrow(/^(Decision|Thread|Link) not found$/)
    }
    await expect(redactIn('/api/spaces/none', 'space')).rejects.toThrow('Space not found')
    const unconfirmed = operate('space', 'redact', DEFAULT_SCOPE, spaceIdOf(path), '--by', 'Ada')
    await expect(unconfirmed).rejects.toThrow('permanently erases the title, the description and the links')
  })
})

/** Returns the tables and columns that refer to a space, once for each row. */
async function rowsOf(spaceId: string): Promise<string[]> {
  const { rows: columns } = await query(
    h.connection,
    `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       AND a.attname IN ('space_id', 'default_space_id', 'target_id') AND c.relname <> 'erasures'`,
  )
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } = await query(h.connection, `SELECT FROM ${table} WHERE ${column} = $1`, [spaceId])
      return rows.map(() => `${table}.${column}`)
    }),
  )
  return found.flat()
}

/** Returns the number of running transactions for which a condition is true. */
async function transactions(condition: string): Promise<number> {
  const { rows } = await query(
    h.connection,
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid() AND ${condition}`,
  )
  return rows.length
}

/** Creates a space with something of each kind, and another one that is linked to it. */
async function furnished() {
  const made = await spaceWithSecret()
  const { client, path } = made
  const neighbour = await h.openSpace(made.ada)
  const space_id = spaceIdOf(path)
  await client.post(`${path}/links`, { target_id: spaceIdOf(neighbour) }).expect(200)
  await client.post(`${neighbour}/links`, { target_id: space_id }).expect(200)
  await client.post(`${path}/decisions`, { proposed_by: 'Ada', text: SECRET }).expect(200)
  await client.get(`${path}/summary?end=2099-01-01`).expect(200)
  const word = `word${randomUUID().slice(0, 8)}`
  await client.post(`${neighbour}/speech`, { text: word }).expect(200)
  return { ...made, neighbour, space_id, word }
}

/** Whether the operation creates something in a space, and leaves it and its decisions open for the next ones. */
const putsIntoSpace = ({ id, method, names }: Operation) =>
  ['POST', 'PUT'].includes(method) &&
  names.includes('space_id') &&
  !['space_archive', 'participant_leave', 'decision_resolve'].includes(id)

describe('operate space and tenant redact, with --before', () => {
  const past = (...flags: string[]) => ['--by', 'retention', '--reason', '90 days', ...flags]
  /** Backdates events, as if they had been posted then. */
  async function age(spaceId: string, upTo: number, time: string): Promise<void> {
    await query(
      h.connection,
      `UPDATE events SET occurred_at = $3::text::timestamptz,
         wire = regexp_replace(wire, '"timestamp":"[^"]*"', '"timestamp":"' || $3 || '"')
       WHERE space_id = $1 AND position <= $2`,
      [spaceId, upTo, time],
    )
    await query(
      h.connection,
      'UPDATE spaces SET last_event_at = $3::text::timestamptz WHERE space_id = $1 AND head <= $2',
      [spaceId, upTo, time],
    )
  }
  const OLD = '2020-01-01T00:00:00.000Z'
  const redactOld = async (...words: string[]) =>
    JSON.parse((await operate(...words, ...past('--yes', '--json'))).join('\n'))

  it('erase the text of old events from every answer and row, and keep their positions', async () => {
    const { ada, client, path, secret } = await spaceWithSecret()
    const space_id = spaceIdOf(path)
    await age(space_id, 2, OLD)
    const before = await client.get(`${path}/events`).expect(200)
    const stream = await StreamReader.open(other.as(ada), path)
    await stream.read(3)
    const place = ['space', 'redact', DEFAULT_SCOPE, space_id, '--before', '2020-06-01']
    await expect(operate(...place, ...past())).rejects.toThrow(
      'permanently erases what was said in 2 events of 1 space before 2020-06-01T00:00:00.000Z',
    )
    expect((await everyAnswer(ada, path, secret.event_id)).some((text) => text.includes(SECRET))).toBe(true)

    expect(await operate(...place, ...past('--yes'))).toEqual([
      'Redacted 2 events in 1 space: all from before 2020-06-01T00:00:00.000Z.',
    ])

    const gone = { text: '[redacted]', redacted_at: expect.stringMatching(/Z$/), references: [] }
    expect(await client.get(`${path}/events`).expect(200)).toEqual([
      { ...before[0], ...gone },
      { ...before[1], ...gone, metadata: { mentions: [ada.actor_id] } },
      before[2],
    ])
    const answers = await everyAnswer(ada, path, secret.event_id)
    expect(answers.filter((text) => text.includes(SECRET))).toEqual([])
    // Other tests have left the secret in other spaces.
    const rows = (await allRows()).split('\n').filter((row) => row.includes(space_id))
    expect(rows.filter((row) => row.includes(SECRET))).toEqual([])
    await client.post(`${path}/speech`, { text: 'It goes on' }).expect(200)
    await stream.read(4)
    expect(stream.events.map(({ text }) => text)).toEqual(['Before', `The word is ${SECRET}`, 'After', 'It goes on'])
    await stream.close()
    expect(await problems()).toEqual([])
    expect(await newestEntry()).toMatchObject({
      action: 'events.redacted',
      subject_id: space_id,
      credential_id: 'operator',
      details: { before: '2020-06-01T00:00:00.000Z', events: 2, through: 2 },
    })
    const [listed] = JSON.parse((await operate('erasure', 'list', '--limit', '1', '--json')).join('\n'))
    expect(listed).toMatchObject({ redacted: 'events', space_id, subject_id: '2', events: 2, reason: '90 days' })
    expect((await operate('erasure', 'list', '--limit', '1'))[1]).toContain('events up to 2')
    expect(await operate(...place, ...past('--yes'))).toEqual([
      'There is nothing left to redact from before 2020-06-01T00:00:00.000Z.',
    ])
  })

  it('keep the hash of each original event, and redact no event twice', async () => {
    const { client, path, secret } = await spaceWithSecret()
    const space_id = spaceIdOf(path)
    await redact(path, secret.event_id, '--yes')
    await age(space_id, 3, OLD)
    const wires = await query(
      h.connection,
      'SELECT position, nonce, wire FROM events WHERE space_id = $1 AND position <> 2',
      [space_id],
    )
    const single = await client.get(`${path}/events/${secret.event_id}`).expect(200)
    expect(await redactOld('space', 'redact', DEFAULT_SCOPE, space_id, '--before', '90d')).toMatchObject({ events: 2 })
    expect(await client.get(`${path}/events/${secret.event_id}`).expect(200)).toEqual(single)
    const { rows } = await query(
      h.connection,
      `SELECT event_hashes FROM erasures WHERE space_id = $1 AND noun = 'events'`,
      [space_id],
    )
    const hashes = wires.rows.map(({ position, nonce, wire }) => [String(position), leafOf({ nonce, wire })])
    expect(rows[0]?.event_hashes).toEqual(Object.fromEntries(hashes))
  })

  it('continue after an interruption, over all spaces of one tenant only', async () => {
    const tenant = await foundTenant(h.connection)
    const { world } = await openWorld(h, h.connection, tenant)
    const space_id = await world.id('space_id')
    const path = `/api/spaces/${space_id}`
    const second = '/api/spaces/a-second-one'
    await world.owner.post('/api/spaces', { space_id: spaceIdOf(second) }).expect(200)
    const events = Array.from({ length: 100 }, (_, n) => ({ speaker_id: 'x', speaker_name: 'X', text: `Event ${n}` }))
    for (let n = 0; n < 21; n++) await world.owner.post(`${path}/events/batch`, { events }).expect(200)
    const { event_count } = await world.owner.get(`${path}/status`).expect(200)
    await world.owner.post(`${second}/speech`, { text: 'Old, too' }).expect(200)
    const elsewhere = await spaceWithSecret()
    for (const each of [path, second, elsewhere.path]) await age(spaceIdOf(each), event_count, OLD)
    const stop = new AbortController()
    const old = { tenantId: tenant as never, spaceId: null, before: new Date('2020-06-01') }
    const stopAtOnce = () => stop.abort(new Error('stopped'))
    const request = { requestedBy: 'retention', reason: null }
    await expect(redactOldEvents(h.connection, old, request, stopAtOnce, stop.signal)).rejects.toThrow('stopped')
    const left = await query(
      h.connection,
      'SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND terms IS NOT NULL',
      [tenant],
    )
    expect(left.rows[0]?.count).toBeGreaterThan(0)
    expect(left.rows[0]?.count).toBeLessThan(event_count + 1)
    expect(await redactOld('tenant', 'redact', tenant, '--before', '2020-06-01')).toMatchObject({
      tenant_id: tenant,
      events: left.rows[0]?.count,
    })
    const page = await world.owner.get(`${path}/events?tail=true&limit=200`).expect(200)
    expect(page.filter(({ text }: { text: string }) => text !== '[redacted]')).toEqual([])
    expect(await elsewhere.client.get(`${elsewhere.path}/events`).expect(200)).toMatchObject([
      { text: 'Before' },
      {},
      {},
    ])
    expect(await problems()).toEqual([])
  })

  it('name an invalid time, an unknown tenant or an unknown space', async () => {
    const { path } = await h.adasSpace()
    const before = (time: string, ...words: string[]) => operate(...words, '--before', time, ...past('--yes'))
    for (const wrong of ['soon', '90', '-1d', '2026-02-30']) expect(() => parseBefore(wrong)).toThrow('such as 90d')
    await expect(before('2099-01-01', 'tenant', 'redact', DEFAULT_SCOPE)).rejects.toThrow('must not be in the future')
    await expect(before('90d', 'tenant', 'redact', NOTHING)).rejects.toThrow('Tenant not found')
    await expect(before('90d', 'space', 'redact', DEFAULT_SCOPE, 'none')).rejects.toThrow('Space not found')
    expect(await before('0d', 'space', 'redact', DEFAULT_SCOPE, spaceIdOf(path))).toEqual([
      expect.stringMatching(/^There is nothing left/),
    ])
  })
})

describe('operate space delete', () => {
  it('deletes everything of a space and all links to it, and nothing else', async () => {
    const { ada, client, path, neighbour, space_id, word } = await furnished()
    const before = await client.get(`${neighbour}/events`).expect(200)
    await expect(remove(path)).rejects.toThrow(`permanently deletes the space ${space_id} and its 3 events`)
    const streams = [await StreamReader.open(h.as(ada), path), await StreamReader.open(other.as(ada), path)]

    expect(await remove(path, '--yes')).toEqual([`Deleted the space ${space_id}, which had 3 events.`])

    for (const stream of streams) await stream.ended
    expect(await rowsOf(space_id)).toEqual([])
    for (const target of ['/status', '/events', '/transcript', '/threads', '/decisions', '/events/stream']) {
      await client.get(path + target).expect(404, 'Space not found')
    }
    await expect(remove(path, '--yes')).rejects.toThrow('Space not found')
    expect(await client.get(`${neighbour}/events`).expect(200)).toEqual(before)
    expect(await client.get(`${neighbour}/links`).expect(200)).toEqual([])
    expect(await client.get(`/api/search?q=${word}&space_id=${spaceIdOf(neighbour)}`).expect(200)).toHaveLength(1)
    const [listed] = JSON.parse((await operate('erasure', 'list', '--json')).join('\n'))
    expect(listed).toMatchObject({ space_id, event_id: null, events: 3, requested_by: 'Ada', reason: null })
    expect(listed.completed_at).not.toBeNull()
    // The ID stays taken, as limits and codes may still refer to it.
    const taken = 'space_id was that of a deleted space; choose another one'
    await client.post('/api/spaces', { space_id }).expect(409, taken)
  })

  it('deletes everything that an operation can create in a space', async () => {
    const tenant = await foundTenant(h.connection)
    const { world } = await openWorld(h, h.connection, tenant)
    const space_id = await world.id('space_id')
    for (const operation of operations.filter(putsIntoSpace)) await world.perform(operation).expect(200)
    const noted = { through: [{ space_id, event_id: await world.id('event_id') }] }
    await world.owner.post('/api/actors/me/inbox/done', noted).expect(200)
    const tables = new Set(await rowsOf(space_id))
    expect([...tables]).toEqual(expect.arrayContaining(['decisions.space_id', 'events.space_id', 'links.space_id']))
    await operate('space', 'delete', tenant, space_id, '--by', 'Ada', '--yes')
    expect(await rowsOf(space_id)).toEqual([])
    await world.owner.get(`/api/spaces/${space_id}/status`).expect(404)
  })

  it('leaves no log tree that a server starts at the same time', async () => {
    const { client } = await h.adasSpace()
    const space_id = `space-${randomUUID()}`
    // Starts the tree first, and is rolled back later.
    const first = await hold(
      h.connection,
      `INSERT INTO log_trees (tenant_id, space_id, tree, epoch) VALUES ('${DEFAULT_SCOPE}', '${space_id}', 'events', 1)`,
    )
    const path = `/api/spaces/${space_id}`
    await client.post('/api/spaces', { space_id }).expect(200)
    await client.post(`${path}/speech`, { text: 'Before' }).expect(200)
    await waitingForRow(h.connection)
    const deleted = remove(path, '--yes')
    const waits = "wait_event_type = 'Lock' AND query LIKE '%FROM spaces % FOR UPDATE'"
    await Promise.race([deleted, eventually(async () => (await transactions(waits)) > 0)])
    await first.query('ROLLBACK')
    await deleted
    await eventually(async () => (await transactions('true')) === 0)
    expect(await rowsOf(space_id)).toEqual([])
  })

  it('continues after an interruption, and stays consistent in between', async () => {
    const { client, path, space_id } = await furnished()
    const events = Array.from({ length: 100 }, (_, n) => ({ speaker_id: 'x', speaker_name: 'X', text: `Event ${n}` }))
    for (let n = 0; n < 25; n++) await client.post(`${path}/events/batch`, { events }).expect(200)
    const stop = new AbortController()
    const request = { tenantId: DEFAULT_SCOPE as never, spaceId: space_id, requestedBy: 'Ada', reason: null }
    // Stops after the first batch of events.
    const stopAt = (what: string) => what === 'events' && stop.abort(new Error('stopped'))
    await expect(deleteSpace(h.connection, request, stopAt, stop.signal)).rejects.toThrow('stopped')

    const left = await client.get(`${path}/status`).expect(200)
    expect(left).toMatchObject({ status: 'archived', event_count: 503 })
    await client.post(`${path}/unarchive`).expect(409, 'Space is being deleted')
    expect(await client.get(`${path}/events?limit=200`).expect(200)).toHaveLength(200)
    expect(await problems()).toEqual([])
    const { services } = await startStack(h.connection)
    const behind = await services.database.trees.behind()
    expect(behind.filter(({ spaceId }) => spaceId === space_id)).toEqual([])

    const [line] = await remove(path, '--yes')
    expect(line).toBe(`Deleted the space ${space_id}, which had 2,503 events. An earlier attempt had begun with it.`)
    expect(await rowsOf(space_id)).toEqual([])
    const [listed] = JSON.parse((await operate('erasure', 'list', '--json')).join('\n'))
    expect(listed).toMatchObject({ space_id, events: 2_503 })
  })
})
