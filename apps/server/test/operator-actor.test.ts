import { query, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { withoutKey } from './support/actor.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const elsewhere = useServer({}, h)
const operate = operatorOf(h)

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
const asJson = async (...words: string[]): Promise<any> => JSON.parse((await operate(...words, '--json')).join('\n'))

describe('actor show', () => {
  it('shows an actor with its counts, but no credential', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    await h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
    await h.as(scout).post(`/api/actors/${scout.actor_id}/connect`, { installation_id: 'laptop' }).expect(200)
    expect(await asJson('actor', 'show', ada.actor_id)).toEqual({
      ...withoutKey(ada),
      is_admin: false,
      disabled_at: null,
      installation_id: null,
      connected_at: null,
      agents: 1,
      tokens: 1,
    })
    expect(await asJson('actor', 'show', scout.actor_id)).toMatchObject({ installation_id: 'laptop', agents: 0 })
    const lines = await operate('actor', 'show', ada.actor_id)
    expect(lines).toContain(`human       ${ada.actor_id}`)
    expect(lines).toContain('scope       the shared default tenant')
    expect(lines).toContain('disabled    no')
  })
})

describe('actor find', () => {
  it('finds actors by a part of the name or the address, newest first', async () => {
    const first = await h
      .post('/api/actors', { display_name: 'Rosa 100%_ \\ L', email: 'rosa@example.org' })
      .expect(200)
    const second = await h.post('/api/actors', { display_name: 'Ada', email: 'Prima.ROSA@example.org' }).expect(200)
    const agent = await h.registerAgent(first, 'Prosaic')
    const found = async (text: string, ...options: string[]) =>
      (await asJson('actor', 'find', text, ...options)).map(({ actor_id }: { actor_id: string }) => actor_id)

    expect(await found('rosa')).toEqual([agent.actor_id, second.actor_id, first.actor_id])
    expect(await found('ROSA@')).toEqual([second.actor_id, first.actor_id])
    expect(await found('rosa', '--limit', '2')).toEqual([agent.actor_id, second.actor_id])
    for (const literal of ['100%_', '\\']) expect(await found(literal)).toEqual([first.actor_id])
    for (const pattern of ['r%a', 'r_sa', 'no such name']) expect(await found(pattern)).toEqual([])
    await h.as(first).delete(`/api/actors/${agent.actor_id}`).expect(200)
    expect(await found('prosaic')).toEqual([])
  })

  it('prints a table, in which control characters of names are replaced', async () => {
    const body = await h.post('/api/actors', { display_name: 'Mallory', email: 'm@example.org' }).expect(200)
    // The API refuses such a name; a row may still have one.
    const renamed = ['Mal\u001b[2Jory', body.actor_id]
    await query(h.connection, 'UPDATE actors SET display_name = $1 WHERE actor_id = $2', renamed)
    const lines = await operate('actor', 'find', 'mal', '--limit', '1')
    expect(lines[0]).toMatch(/^ACTOR +TYPE +NAME +EMAIL +TENANT +STATE$/)
    expect(lines[1]).toMatch(new RegExp(`^${body.actor_id} +human +Mal\ufffd\\[2Jory +m@example.org +- +active$`))
  })
})

describe('actor disable and enable', () => {
  it('take effect at once on every instance and its streams, and keep the history', async () => {
    const { ada, client, path } = await h.adasSpace()
    const scout = await h.registerAgent(ada)
    const { token } = await client.post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
    await client.post(`${path}/join`).expect(200)
    await client.post(`${path}/speech`, { text: 'hello' }).expect(200)
    const streams = await Promise.all(
      [h.as(ada), elsewhere.as(token), elsewhere.as(scout)].map((reader) => StreamReader.open(reader, path)),
    )

    expect(await operate('actor', 'disable', ada.actor_id)).toEqual([
      `${ada.actor_id} is disabled.`,
      `${scout.actor_id} is disabled.`,
    ])
    for (const server of [h, elsewhere]) {
      for (const credential of [ada.api_key, token, scout.api_key]) {
        await server.as(credential).get('/api/actors/me').expect(401, 'Authentication required')
      }
    }
    for (const stream of streams) await stream.ended
    const bob = h.as(await h.registerHuman('Bob'))
    expect(await bob.get(`${path}/events`).expect(200)).toMatchObject([{ text: 'hello', speaker_name: 'Ada' }])
    expect(await bob.get(`${path}/participants`).expect(200)).toMatchObject([{ name: 'Ada' }])
    expect(await operate('actor', 'disable', ada.actor_id)).toEqual([`${ada.actor_id} is disabled already.`])

    expect(await operate('actor', 'enable', ada.actor_id)).toHaveLength(2)
    for (const credential of [ada.api_key, token, scout.api_key]) {
      await elsewhere.as(credential).get('/api/actors/me').expect(200)
    }
    expect(await operate('actor', 'enable', ada.actor_id)).toEqual([`${ada.actor_id} is enabled already.`])
  })

  it('enable only the agents that were disabled with their sponsor', async () => {
    const ada = await h.registerHuman()
    const [scout, other] = [await h.registerAgent(ada), await h.registerAgent(ada)]
    expect(await asJson('actor', 'disable', scout.actor_id)).toEqual({
      actor_id: scout.actor_id,
      disabled: true,
      changed: [scout.actor_id],
    })
    await h.as(ada).get('/api/actors/me').expect(200)
    expect((await asJson('actor', 'disable', ada.actor_id)).changed.sort()).toEqual(
      [ada.actor_id, other.actor_id].sort(),
    )
    await operate('actor', 'enable', ada.actor_id)
    await h.as(other).get('/api/actors/me').expect(200)
    await h.as(scout).get('/api/actors/me').expect(401)
  })

  it('end the invites of a disabled admin', async () => {
    const ada = await h.registerHuman()
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    await operate('actor', 'disable', ada.actor_id)
    await h
      .as(await h.registerHuman())
      .post('/api/invites/redeem', { code })
      .expect(404, 'Invite not found')
  })
})

describe('actor reset-key', () => {
  it('issues a new key and ends the old one', async () => {
    const { ada, path } = await h.adasSpace()
    const stream = await StreamReader.open(elsewhere.as(ada), path)
    const [, key = ''] = await operate('actor', 'reset-key', ada.actor_id)
    await stream.ended
    await elsewhere.as(ada).get('/api/actors/me').expect(401)
    await elsewhere.as(key).get('/api/actors/me').expect(200)
    const { api_key } = await asJson('actor', 'reset-key', ada.actor_id)
    await elsewhere.as(key).get('/api/actors/me').expect(401)
    await elsewhere.as(api_key).get('/api/actors/me').expect(200)
  })
})

it.each(['show', 'disable', 'enable', 'reset-key'])('actor %s refuses an unknown actor', async (verb) => {
  for (const id of [UNKNOWN_ACTOR, 'x']) await expect(operate('actor', verb, id)).rejects.toThrow('Actor not found')
})

describe('tenant usage', () => {
  const bytesOf = async (tenantId: string): Promise<number> => {
    const statement = 'SELECT coalesce(sum(octet_length(wire)), 0)::int AS bytes FROM events WHERE tenant_id = $1'
    return (await query(h.connection, statement, [tenantId])).rows[0].bytes
  }

  it('shows exact counts', async () => {
    const ada = await h.registerHuman()
    const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const noEvents = { events: 0, event_bytes: 0, event_bytes_estimated: false }
    const nothing = { agents: 0, tokens: 0, spaces: 0, ...noEvents, file_bytes: 0 }
    expect(await asJson('tenant', 'usage', tenant_id)).toEqual({ tenant_id, members: 1, ...nothing })

    await h.registerAgent(ada)
    const { pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'revoked' }).expect(200)
    await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await h.as(ada).post('/api/personal-access-tokens', { name: 'kept' }).expect(200)
    for (const size of [1, 1_000, 100_000]) {
      const space = await h.openSpace(ada)
      for (let n = 0; n < 3; n++)
        await h
          .as(ada)
          .post(`${space}/speech`, { text: '文'.repeat(size) })
          .expect(200)
    }
    expect(await asJson('tenant', 'usage', tenant_id)).toEqual({
      tenant_id,
      members: 1,
      agents: 1,
      tokens: 1,
      spaces: 3,
      events: 9,
      event_bytes: await bytesOf(tenant_id),
      event_bytes_estimated: false,
      file_bytes: 0,
    })
  })

  it('estimates the size of many events from a sample', async () => {
    const { ada, path } = await h.adasSpace()
    const scope = '00000000-0000-4000-8000-000000000000'
    await h.as(ada).post(`${path}/speech`, { text: 'first' }).expect(200)
    await query(
      h.connection,
      `WITH more AS (
         INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, nonce)
         SELECT tenant_id, space_id, position + n, gen_random_uuid(), occurred_at, speaker_id, posted_by,
           wire || repeat(' ', n % 100), nonce
         FROM events, generate_series(1, 12345) AS n WHERE space_id = $1)
       UPDATE spaces SET head = 12346 WHERE space_id = $1`,
      [path.split('/').at(-1)],
    )
    const usage = await asJson('tenant', 'usage', scope)
    expect(usage.event_bytes_estimated).toBe(true)
    expect(usage.event_bytes / (await bytesOf(scope))).toBeCloseTo(1, 2)
    const lines = await operate('tenant', 'usage', scope)
    expect(lines.at(-2)).toMatch(/^event bytes +\d+ \(estimated\)$/)
  })
})

it.each([
  ['tenant', 'list'],
  ['invite', 'admin'],
])('%s %s prints JSON for scripts', async (...words) => {
  expect(await asJson(...words)).toBeTypeOf('object')
})

describe('actor delete', () => {
  it('deletes a human with their agents, at once on every server', async () => {
    const ada = await h.registerHuman('Ada')
    const scout = await h.registerAgent(ada, 'Scout')
    const space = await h.openSpace(ada)
    await h.as(scout).post(`${space}/response`, { text: 'Here' }).expect(200)
    const stream = await StreamReader.open(elsewhere.as(scout), space)
    const unconfirmed = operate('actor', 'delete', ada.actor_id)
    await expect(unconfirmed).rejects.toThrow(
      `This deletes Ada (${ada.actor_id}) and 1 agent for good. To continue, add --yes`,
    )
    expect(await asJson('actor', 'delete', ada.actor_id, '--yes')).toEqual({
      actor_id: ada.actor_id,
      deleted: [ada.actor_id, scout.actor_id],
    })
    await stream.ended
    for (const entry of await asJson('audit', 'list', '--limit', '2')) {
      expect(entry).toMatchObject({ action: 'actor.deleted', credential_id: 'operator' })
    }
    for (const actor of [ada, scout]) await elsewhere.as(actor).get('/api/actors/me').expect(401)
    const reader = await h.registerHuman()
    expect(await h.as(reader).get(`${space}/events`).expect(200)).toMatchObject([{ speaker_name: 'Scout' }])
    for (const id of [ada.actor_id, UNKNOWN_ACTOR]) {
      await expect(operate('actor', 'delete', id, '--yes')).rejects.toThrow('Actor not found')
    }
  })

  it('refuses to delete the last admin of other members', async () => {
    const ada = await h.registerHuman('Ada')
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    const bob = await h.post('/api/actors', { display_name: 'Bob', email: 'b@example.org', code }).expect(200)
    await expect(operate('actor', 'delete', ada.actor_id, '--yes')).rejects.toThrow('make one of them an admin first')
    await operate('admin', 'grant', bob.actor_id)
    expect(await operate('actor', 'delete', ada.actor_id, '--yes')).toEqual([`${ada.actor_id} is deleted.`])
  })
})
