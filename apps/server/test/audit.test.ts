import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { AUDIT_ACTIONS } from '@collab-spaces/domain'
import { type Actor, type Client, eventually, NOTHING, query, useDirectory } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorName } from '../src/operator/name.js'
import { TIMESTAMP } from './support/form.js'
import { capturingLog } from './support/log.js'
import { OPERATOR_NAME, operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const captured = capturingLog()
const h = useServer({ TRUST_PROXY: '1', LOG_LEVEL: 'info' }, undefined, captured.log)
const operate = operatorOf(h)

const files = useDirectory()

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'
const INSTALLATION = '00000000-0000-0000-0000-000000000000'
const FROM = { headers: { 'X-Forwarded-For': '203.0.113.7' } }

interface Entry {
  readonly entry_id: string
  readonly action: string
  readonly subject_id: string
  readonly actor_id: string | null
  readonly credential_id: string | null
  readonly address: string | null
  readonly created_at: string
}

interface Founder extends Actor {
  readonly tenant_id: string
}

async function founder(): Promise<Founder> {
  const ada = await h.registerHuman('Ada')
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  return { ...ada, tenant_id }
}

const listed = async (...words: string[]): Promise<Entry[]> =>
  JSON.parse((await operate('audit', 'list', '--json', ...words)).join('\n'))

const entriesFor = (admin: Actor, parameters = ''): Promise<Entry[]> =>
  h.as(admin).get(`/api/audit${parameters}`).expect(200)

/** Returns the entries that an act adds for the admin's tenant, oldest first, without fields that vary. */
async function addedBy(admin: Actor, act: () => Promise<unknown>) {
  const before = (await entriesFor(admin, '?limit=1'))[0]?.entry_id
  await act()
  const entries = await entriesFor(admin)
  const added = entries.slice(
    0,
    entries.findIndex(({ entry_id }) => entry_id === before),
  )
  return added.reverse().map(({ action, subject_id, actor_id, credential_id, address }) => {
    return { action, subject_id, actor_id, credential_id, address }
  })
}

/** Returns an entry of an actor that used its API key from this machine. */
const entry = (action: string, actor: Actor, subject_id: string = actor.actor_id) => ({
  action,
  subject_id,
  actor_id: actor.actor_id,
  credential_id: 'api_key',
  address: null,
})

const ofOperator = (action: string, subject_id: string) => ({
  action,
  subject_id,
  actor_id: null,
  credential_id: 'operator',
  address: null,
})

async function memberOf(admin: Actor): Promise<Actor> {
  const { code } = await h.as(admin).post('/api/invites', {}).expect(200)
  return await h.post('/api/actors', { display_name: 'Bob', email: 'bob@example.org', code }).expect(200)
}

describe('the security log records', () => {
  let ada: Founder
  let client: Client

  beforeAll(async () => {
    ada = await founder()
    client = h.as(ada)
  })

  it('a new tenant and its founder', async () => {
    const entries = await entriesFor(ada)
    expect(entries.map(({ action }) => action)).toEqual(['member.joined', 'tenant.created'])
    expect(entries[1]).toEqual({
      entry_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'tenant.created',
      actor_id: ada.actor_id,
      credential_id: 'api_key',
      address: null,
      subject_id: ada.tenant_id,
      details: null,
      tenant_id: ada.tenant_id,
      created_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it('agents, with the actor that registered, connected, released, stopped or deleted each', async () => {
    const other = await h.registerAgent(ada)
    let scout = other
    const path = () => `/api/actors/${scout.actor_id}`
    expect(
      await addedBy(ada, async () => {
        scout = await h.registerAgent(ada)
        await h.as(scout).post(`${path()}/connect`, { installation_id: 'laptop' }).expect(200)
        await h.as(scout).post(`${path()}/connect`, { installation_id: 'laptop' }).expect(200)
        await client.post(`${path()}/release`).expect(200)
        await client.post(`${path()}/release`).expect(200)
        await client.post(`${path()}/rotate-key`).expect(200)
        await client.patch(path(), { display_name: 'Scout II' }).expect(200)
        await client.post(`${path()}/stop`, { reason: 'It loops' }).expect(200)
        await client.post('/api/actors/me/agents/stop').expect(200)
        await client.post(`${path()}/start`).expect(200)
        await client.post(`${path()}/start`).expect(200)
        await client.delete(path()).expect(200)
      }),
    ).toEqual([
      entry('actor.registered', ada, scout.actor_id),
      entry('agent.connected', scout),
      entry('agent.released', ada, scout.actor_id),
      entry('actor.key_rotated', ada, scout.actor_id),
      entry('actor.renamed', ada, scout.actor_id),
      entry('agent.stopped', ada, scout.actor_id),
      entry('agent.stopped', ada, other.actor_id),
      entry('agent.started', ada, scout.actor_id),
      entry('actor.deleted', ada, scout.actor_id),
    ])
  })

  it('personal access tokens, and the acts done with one', async () => {
    let made: { pat_id: string; token: string } | undefined
    const added = await addedBy(ada, async () => {
      made = await client.post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
      const token = h.as(made?.token)
      await token.post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }, FROM).expect(200)
      await token.delete(`/api/personal-access-tokens/${made?.pat_id}`).expect(200)
      await client.delete(`/api/personal-access-tokens/${made?.pat_id}`).expect(200)
    })
    const credential_id = made?.pat_id
    expect(added).toEqual([
      entry('token.created', ada, credential_id),
      {
        ...entry('actor.registered', ada, expect.stringMatching(/^agt_/) as unknown as string),
        credential_id,
        address: '203.0.113.7',
      },
      { ...entry('token.revoked', ada, credential_id), credential_id },
      { ...entry('agent.stopped', ada, expect.stringMatching(/^agt_/) as unknown as string), credential_id },
    ])
  })

  it('each token that a rotation of the key revokes', async () => {
    const bob = await memberOf(ada)
    const tokens = await Promise.all(
      ['laptop', 'phone'].map((name) => h.as(bob).post('/api/personal-access-tokens', { name }).expect(200)),
    )
    const rotate = `/api/actors/${bob.actor_id}/rotate-key`
    const added = await addedBy(ada, () => h.as(bob).post(rotate, { revoke_tokens: true }).expect(200))
    expect(added.map(({ action }) => action)).toEqual(['actor.key_rotated', 'token.revoked', 'token.revoked'])
    expect(added.slice(1).map(({ subject_id }) => subject_id)).toEqual(
      expect.arrayContaining(tokens.map(({ pat_id }) => pat_id)),
    )
  })

  it('invites, and the members that join with one', async () => {
    const [used, revoked] = [await founder(), await founder()]
    const scout = await h.registerAgent(used)
    const added = await addedBy(ada, async () => {
      const first = await client.post('/api/invites', { email: 'ada@example.org' }).expect(200)
      await h.as(used).post('/api/invites/redeem', { code: first.code }).expect(200)
      const second = await client.post('/api/invites', {}).expect(200)
      await client.delete(`/api/invites/${second.invite_id}`).expect(200)
      await h.as(revoked).post('/api/invites/redeem', { code: second.code }).expect(404)
    })
    const [first, , , , , second] = added.map(({ subject_id }) => subject_id)
    expect(added).toEqual([
      entry('invite.created', ada, first),
      entry('member.joined', used),
      entry('member.joined', used, scout.actor_id),
      entry('agent.stopped', used, scout.actor_id),
      entry('invite.redeemed', used, first),
      entry('invite.created', ada, second),
      entry('invite.revoked', ada, second),
    ])
  })

  it('a registration with an invite, without a credential', async () => {
    let bob: Actor | undefined
    const added = await addedBy(ada, async () => {
      bob = await memberOf(ada)
    })
    const uncredited = { actor_id: bob?.actor_id, credential_id: null }
    expect(added).toMatchObject([
      { action: 'invite.created' },
      { action: 'actor.registered', subject_id: bob?.actor_id, ...uncredited },
      { action: 'invite.redeemed', subject_id: added[0]?.subject_id, ...uncredited },
    ])
  })

  it('a member who leaves, without the new tenant', async () => {
    const bob = await memberOf(ada)
    expect(await addedBy(ada, () => h.as(bob).post('/api/tenants', { name: 'Elsewhere' }).expect(200))).toEqual([
      entry('member.left', bob),
    ])
  })

  it('acts of the operator', async () => {
    const bob = await memberOf(ada)
    const { tenant_id } = ada
    const added = await addedBy(ada, async () => {
      await operate('tenant', 'suspend', tenant_id)
      await operate('tenant', 'suspend', tenant_id)
      await operate('tenant', 'reactivate', tenant_id)
      for (const verb of ['grant', 'grant', 'withdraw']) await operate('admin', verb, bob.actor_id)
      for (const verb of ['disable', 'disable', 'enable']) await operate('actor', verb, bob.actor_id)
      await operate('actor', 'reset-key', bob.actor_id)
      await operate('invite', 'admin', '--tenant', tenant_id)
    })
    expect(added).toEqual([
      ofOperator('tenant.suspended', tenant_id),
      ofOperator('tenant.reactivated', tenant_id),
      ofOperator('admin.granted', bob.actor_id),
      ofOperator('admin.withdrawn', bob.actor_id),
      ofOperator('actor.disabled', bob.actor_id),
      ofOperator('actor.enabled', bob.actor_id),
      ofOperator('actor.key_rotated', bob.actor_id),
      ofOperator('invite.created', expect.stringMatching(/^inv_/) as unknown as string),
    ])
  })

  it('no rejected acts', async () => {
    const [bob, eve] = [await memberOf(ada), await founder()]
    const scout = await h.registerAgent(ada)
    await h.as(scout).post(`/api/actors/${scout.actor_id}/connect`, { installation_id: 'laptop' }).expect(200)
    const refused = await addedBy(ada, async () => {
      await h.as(eve).post(`/api/actors/${scout.actor_id}/rotate-key`).expect(403)
      await client.post(`/api/actors/${scout.actor_id}/rotate-key`).expect(409)
      await client.post(`/api/actors/${scout.actor_id}/connect`, { installation_id: 'phone' }).expect(409)
      await h.as(bob).delete(`/api/actors/${scout.actor_id}`).expect(403)
      await h.as(bob).post('/api/invites', {}).expect(403)
    })
    expect(refused).toEqual([])
  })

  it('no e-mail addresses', async () => {
    const { rows } = await query(
      h.connection,
      'SELECT count(*)::int AS count FROM audit_entries a WHERE a::text LIKE $1',
      ['%@%'],
    )
    expect(rows).toEqual([{ count: 0 }])
  })
})

/** Returns the newest entry of the admin's tenant. */
const newestFor = async (admin: Actor) => (await entriesFor(admin, '?limit=1'))[0]

describe('the details of an entry', () => {
  it('have the state before and after a new name, a space policy and quotas', async () => {
    const ada = await founder()
    await h.as(ada).patch(`/api/actors/${ada.actor_id}`, { display_name: 'Ada L.' }).expect(200)
    expect(await newestFor(ada)).toMatchObject({
      action: 'actor.renamed',
      details: { before: { display_name: 'Ada' }, after: { display_name: 'Ada L.' } },
    })
    const path = await h.openSpace(ada)
    await h
      .as(ada)
      .put(`${path}/policy`, { settle: { approvals: 1 } })
      .expect(200)
    expect(await newestFor(ada)).toMatchObject({
      action: 'space.policy_changed',
      details: {
        before: { settle: { approvals: 0 }, loop_guard: { total: 0 } },
        after: { settle: { approvals: 1, who: 'anyone' }, loop_guard: { total: 0 } },
      },
    })
    await operate('tenant', 'quota', 'set', ada.tenant_id, '--spaces', '7')
    await operate('tenant', 'quota', 'clear', ada.tenant_id)
    const [seven, none] = [{ spaces: 7, events_per_day: null }, { spaces: null }]
    expect(await entriesFor(ada, '?limit=2')).toMatchObject([
      { details: { before: seven, after: none } },
      { details: { before: none, after: seven } },
    ])
  })

  it('have a webhook before and after, and its replay, without the query of its URL', async () => {
    const ada = await founder()
    const url = (name: string) => `http://127.0.0.1:9/${name}?key=s3cret`
    const made = await h.as(ada).post('/api/webhooks', { url: url('one'), inbox_of: ada.actor_id })
    const { webhook_id } = made.expect(200)
    const path = `/api/webhooks/${webhook_id}`
    const one = 'http://127.0.0.1:9/one'
    expect(await newestFor(ada)).toMatchObject({
      action: 'webhook.created',
      details: { after: { url: one, inbox_of: ada.actor_id } },
    })
    await h
      .as(ada)
      .patch(path, { url: url('two'), disabled: true })
      .expect(200)
    expect(await newestFor(ada)).toMatchObject({
      action: 'webhook.changed',
      details: { before: { url: one, disabled: false }, after: { url: 'http://127.0.0.1:9/two', disabled: true } },
    })
    await h.as(ada).post(`${path}/replay`, { since: 'beginning' }).expect(200)
    expect(await newestFor(ada)).toMatchObject({ action: 'webhook.replayed', details: { since: 'beginning' } })
    await h.as(ada).delete(path).expect(200)
    expect(await newestFor(ada)).toMatchObject({
      action: 'webhook.deleted',
      details: { before: { url: 'http://127.0.0.1:9/two' } },
    })
    const { rows } = await query(
      h.connection,
      `SELECT count(*)::int AS count FROM audit_entries a WHERE a::text ~ 's3cret'`,
    )
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('the operator in the security log', () => {
  it('is named in the entry of a command, over any connection', async () => {
    const ada = await founder()
    const path = await h.openSpace(ada)
    await operate('tenant', 'set', ada.tenant_id, '--language-model', 'off')
    await operate('space', 'delete', ada.tenant_id, path.replace('/api/spaces/', ''), '--by', 'Ada', '--yes')
    for (const entry of await entriesFor(ada, '?limit=2')) {
      expect(entry).toMatchObject({ credential_id: 'operator', details: { operator: OPERATOR_NAME } })
    }
  })

  it('is the account that called sudo, or else the one that runs the command', () => {
    expect(operatorName('ada')).toBe('ada')
    for (const none of [undefined, '']) expect(operatorName(none)).toBe(userInfo().username)
  })

  it("is recorded for each backup, outside of all actors' tenants", async () => {
    const ada = await founder()
    const before = await entriesFor(ada)
    const file = join(files.path, 'all.gz')
    await operate('backup', file)
    const [newest] = await listed('--installation')
    expect(newest).toMatchObject({
      action: 'backup.made',
      subject_id: file,
      tenant_id: INSTALLATION,
      details: { events: expect.any(Number), operator: OPERATOR_NAME },
    })
    expect(await entriesFor(ada)).toEqual(before)
  })
})

describe('failed sign-ins beyond the limit', () => {
  const strict = useServer({ TRUST_PROXY: '1', FAILED_CREDENTIAL_LIMIT: '3' }, h)

  it('are one entry for the operator per address and hour', async () => {
    const failing = { headers: { 'X-Forwarded-For': '203.0.113.99' } }
    const fail = () => strict.as('svc_none').get('/api/actors/me', failing)
    for (let n = 0; n < 3; n++) await fail().expect(401)
    expect(await listed('--action', 'credentials.failed')).toEqual([])
    for (let n = 0; n < 5; n++) await fail().expect(429)
    const [line, ...others] = await eventually(async () => {
      const found = await listed('--action', 'credentials.failed')
      return found.length > 0 ? found : null
    })
    expect(others).toEqual([])
    expect(line).toMatchObject({
      subject_id: '203.0.113.99',
      address: '203.0.113.99',
      actor_id: null,
      credential_id: null,
      tenant_id: INSTALLATION,
      details: { failed: 3, since: expect.stringMatching(/:00:00\.000Z$/) },
    })
  })
})

describe('GET /api/audit', () => {
  it('filters by actor, subject, time and action', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    const scout = await h.registerAgent(bob)
    await h.as(bob).post(`/api/actors/${scout.actor_id}/rotate-key`).expect(200)
    const all = await entriesFor(ada)
    const only = async (parameters: string) => (await entriesFor(ada, parameters)).map(({ action }) => action)
    expect(await only('?action=actor.key_rotated')).toEqual(['actor.key_rotated'])
    expect(await only(`?subject_id=${scout.actor_id}`)).toEqual(['actor.key_rotated', 'actor.registered'])
    expect(await only(`?actor_id=${bob.actor_id}&action=actor.registered`)).toHaveLength(2)
    for (const [index, { created_at }] of all.entries()) {
      expect((await entriesFor(ada, `?until=${created_at}`)).map(({ entry_id }) => entry_id)).toContain(
        all[index]?.entry_id,
      )
      expect((await entriesFor(ada, `?since=${created_at}`)).map(({ entry_id }) => entry_id)).toContain(
        all[index]?.entry_id,
      )
    }
    expect(await only('?until=2020-01-01')).toEqual([])
    await h.as(ada).get('/api/audit?since=2026-02-01&until=2026-01-01').expect(400, 'since: must not be after until')
    const [first, second] = await entriesFor(ada, `?actor_id=${bob.actor_id}`)
    expect((await entriesFor(ada, `?actor_id=${bob.actor_id}&before=${first?.entry_id}&limit=1`))[0]).toEqual(second)
    await h
      .as(ada)
      .get('/api/audit?action=nonsense')
      .expect(400, /^action: must be one of /)
  })

  it('returns pages, newest first', async () => {
    const ada = await founder()
    for (let n = 0; n < 4; n++) await h.registerAgent(ada)
    const all = await entriesFor(ada)
    expect(all).toHaveLength(6)
    const first = await entriesFor(ada, '?limit=2')
    const second = await entriesFor(ada, `?limit=3&before=${first[1]?.entry_id}`)
    const last = await entriesFor(ada, `?limit=3&before=${second[2]?.entry_id}`)
    expect([...first, ...second, ...last]).toEqual(all)
    expect(last).toHaveLength(1)
  })

  it('returns 404 for an unknown entry as a cursor, and for one of another tenant', async () => {
    const [ada, eve] = [await founder(), await founder()]
    const [foreign] = await entriesFor(eve)
    for (const before of [NOTHING, 'x', foreign?.entry_id]) {
      await h.as(ada).get(`/api/audit?before=${before}`).expect(404, 'Entry not found')
    }
  })

  it("returns 403 in the shared default tenant, and names the operator's command", async () => {
    await h
      .as(await h.registerHuman())
      .get('/api/audit')
      .expect(403, 'The security log of the shared default tenant is for the operator: operate audit list')
  })
})

describe('operate audit list', () => {
  it('lists all tenants, or one of them', async () => {
    const [ada, grace] = [await founder(), await h.registerHuman('Grace')]
    const subjects = (entries: readonly Entry[]) => entries.map(({ subject_id }) => subject_id)

    expect(await listed('--actor', ada.actor_id, '--action', 'tenant.created')).toMatchObject([
      { subject_id: ada.tenant_id },
    ])
    expect(await listed('--subject', ada.tenant_id, '--until', '2020-01-01')).toEqual([])
    expect(await listed('--subject', ada.tenant_id, '--since', '2020-01-01')).toHaveLength(1)
    expect(subjects(await listed()).slice(0, 3)).toEqual([grace.actor_id, ada.actor_id, ada.actor_id])
    expect(await listed('--tenant', ada.tenant_id)).toEqual(await entriesFor(ada))
    const [newest] = await listed('--tenant', DEFAULT_SCOPE, '--limit', '1')
    expect(newest).toMatchObject({ action: 'actor.registered', subject_id: grace.actor_id, tenant_id: null })
    const [before] = await listed('--tenant', DEFAULT_SCOPE, '--limit', '1', '--before', newest?.entry_id ?? '')
    expect(before).toMatchObject({ action: 'member.left', subject_id: ada.actor_id })
    await expect(listed('--tenant', NOTHING)).rejects.toThrow('Tenant not found')
    await expect(listed('--before', 'x')).rejects.toThrow('Entry not found')
  })

  it('prints a table with one line per entry', async () => {
    const ada = await founder()
    const [heading, first] = await operate('audit', 'list', '--tenant', ada.tenant_id)
    expect(heading?.split(/ {2,}/)).toEqual([
      'TIME',
      'ACTION',
      'SUBJECT',
      'ACTOR',
      'CREDENTIAL',
      'ADDRESS',
      'ENTRY',
      'DETAILS',
    ])
    expect(first).toMatch(new RegExp(`member\\.joined +${ada.actor_id} +${ada.actor_id} +api_key +- +[0-9a-f-]{36}$`))
  })
})

describe('an entry of the security log', () => {
  const countOf = async (table: string): Promise<number> =>
    (await query(h.connection, `SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

  it('is written together with its act, or neither is', async () => {
    const ada = await founder()
    const createToken = () => h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' })
    const counts = async () => [await countOf('personal_access_tokens'), await countOf('audit_entries')]
    const before = await counts()

    await query(h.connection, 'ALTER TABLE audit_entries RENAME TO lost')
    await createToken().expect(500)
    await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(500)
    await h.post('/api/actors', { display_name: 'Bob', email: 'bob@example.org' }).expect(500)
    await query(h.connection, 'ALTER TABLE lost RENAME TO audit_entries')
    await h.as(ada).get('/api/actors/me').expect(200)
    expect(await counts()).toEqual(before)

    // The trigger fails at the commit, after every write.
    await query(
      h.connection,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this time'; END $$;
       CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON personal_access_tokens DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION fail();`,
    )
    await createToken().expect(500)
    await query(h.connection, 'DROP TRIGGER fail ON personal_access_tokens')
    expect(await counts()).toEqual(before)
    await createToken().expect(200)
    expect(await counts()).toEqual(before.map((count) => count + 1))
  })

  it.each(['UPDATE audit_entries SET actor_id = NULL', 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'cannot be changed or deleted: %s',
    async (statement) => {
      await founder()
      await expect(query(h.connection, statement)).rejects.toThrow('audit_entries is append-only')
    },
  )
})

describe('the request log', () => {
  it('has the ID of the actor and of the credential, and no token', async () => {
    const ada = await h.registerHuman()
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'x' }).expect(200)
    const logged = async (client: Client, path: string) => {
      const { headers } = await client.get(path)
      return eventually(() => captured.lines().find(({ reqId }) => reqId === headers.get('x-request-id')))
    }
    const byKey = await logged(h.as(ada), '/api/actors/me')
    expect(byKey).toMatchObject({ actorId: ada.actor_id, credentialId: 'api_key' })
    const byToken = await logged(h.as(token), '/trpc/actor.me')
    expect(byToken).toMatchObject({ actorId: ada.actor_id, credentialId: pat_id })
    for (const client of [h, h.as('nonsense')]) {
      expect(await logged(client, '/api/actors/me')).not.toHaveProperty('actorId')
    }
    expect(captured.text()).not.toContain(token)
  })
})

it('every action of the security log is documented, and no other', async () => {
  const reference = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Audit$(.*?)^## /ms.exec(reference) ?? []
  // A name in parentheses is a call of the typed client.
  const named = [...section.matchAll(/(?<!\()`(\w+\.\w+)`/g)].map(([, name = '']) => name)
  const documented = named.filter((name) => !name.startsWith('details.'))
  expect(documented.toSorted()).toEqual(AUDIT_ACTIONS.toSorted())
})
