import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actor, type Answer, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

/** Every way into a space, under the rules at the moment of entry. */

const PACKAGES = join(import.meta.dirname, '../../../packages')

/** Returns the names and texts of the sources that write to the database. */
async function sources(): Promise<[name: string, text: string][]> {
  const found: [string, string][] = []
  for (const root of ['db/src', 'operator/src']) {
    for (const name of await readdir(join(PACKAGES, root), { recursive: true })) {
      if (!name.endsWith('.ts') || name.startsWith('generated/')) continue
      found.push([name, await readFile(join(PACKAGES, root, name), 'utf8')])
    }
  }
  return found
}

describe('the source', () => {
  it('adds participants in one file only', async () => {
    const WRITES =
      /participant\.(create|upsert)|INSERT INTO participants|(participants|participations): \{ (create|connect)/i
    const writers: string[] = []
    for (const [name, text] of await sources()) {
      if (WRITES.test(text)) writers.push(name)
    }
    expect(writers).toEqual(['space/admission.ts'])
  })

  it('admits actors only in the places that these tests cover', async () => {
    const entries: string[] = []
    for (const [name, text] of await sources()) {
      if (name === 'space/admission.ts') continue
      const calls = text.matchAll(/\b(admit|admitFounders|enter|readmit)\(/g)
      entries.push(...[...calls].map(([, call]) => `${name} ${call}`))
    }
    expect(entries.sort()).toEqual([
      // By the right of another actor: `WAYS` below.
      'actor/agent-code.ts admit',
      // The agent of a webhook, by the owner who sets it up: `incoming-webhook.test.ts`.
      'incoming-webhook/incoming-webhook.ts admit',
      'invite/invite.ts admit',
      // By the actor's own right, or with a new conversation: `participant.test.ts` and `private-space.test.ts`.
      'space/conversation.ts admitFounders',
      'space/conversation.ts readmit',
      // Both by the right of another actor and by the actor's own.
      'space/participant.ts admit',
      'space/participant.ts enter',
      // With a new space.
      'space/space.ts admit',
      'space/space.ts admitFounders',
    ])
  })
})

const h = useServer()

let tenant: string
/** An admin, and the owner of the spaces. */
let ada: Actor
/** A member of the tenant who is in no space. */
let bob: Actor
beforeAll(async () => {
  ;[ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  tenant = await foundTenant(h.connection)
  await moveInto(h.connection, tenant, ada, bob)
  await makeAdmin(h.connection, ada)
})

async function member(isAdmin = true): Promise<Actor> {
  const actor = await h.registerHuman('Grace')
  await moveInto(h.connection, tenant, actor)
  if (isAdmin) await makeAdmin(h.connection, actor)
  return actor
}

async function spaceOf(visibility: 'open' | 'private', owner: Actor | null): Promise<string> {
  const space_id = `plans-${randomUUID()}`
  const space = `/api/spaces/${space_id}`
  await h.as(ada).post('/api/spaces', { space_id, visibility }).expect(200)
  if (owner) await add(space, owner, 'owner').expect(200)
  return space
}

const add = (space: string, { actor_id }: Actor, role = 'member', by = ada) =>
  h.as(by).post(`${space}/participants`, { actor_id, role })

const invite = (by: Actor, space: string) => h.as(by).post('/api/invites', { default_space_id: spaceIdOf(space) })
const agentCode = (by: Actor, space: string) =>
  h.as(by).post('/api/agent-codes', { display_name: 'Scout', space_ids: [spaceIdOf(space)] })

/** A way into a space with another actor's code. */
interface Way {
  readonly table: 'invites' | 'agent_codes'
  readonly make: (by: Actor, space: string) => ReturnType<typeof invite>
  readonly redeem: (code: string) => PromiseLike<Answer>
}

const WAYS: Readonly<Record<string, Way>> = {
  'redeeming an invite': {
    table: 'invites',
    make: invite,
    redeem: async (code) => h.as(await h.registerHuman()).post('/api/invites/redeem', { code }),
  },
  'registering with an invite': {
    table: 'invites',
    make: invite,
    redeem: (code) => h.post('/api/actors', { display_name: 'New', email: 'new@example.org', code }),
  },
  'redeeming an agent code': {
    table: 'agent_codes',
    make: agentCode,
    redeem: (code) => h.post('/api/agent-codes/redeem', { code, installation_id: 'laptop' }),
  },
}

type Outcome = 'enters' | 'comes into the tenant alone' | 404 | 409

interface Case {
  readonly visibility?: 'open' | 'private'
  /** Whether the maker of the code owns the space at first. */
  readonly owns?: false
  readonly change: (space: string, maker: Actor) => PromiseLike<unknown>
  /** Whether the change revokes the code. */
  readonly revokes: boolean | 'invites'
  /** The result of redeeming the code if it had not been revoked. */
  readonly invite: Outcome
  readonly code: Outcome
}

const demote = ({ actor_id }: Actor) =>
  h.as(ada).patch(`/api/tenants/${tenant}/members/${actor_id}`, { is_admin: false }).expect(200)
const remove = (space: string, { actor_id }: Actor) => h.as(ada).delete(`${space}/participants/${actor_id}`).expect(200)
const nothing = async () => {}
const ENTERS = { invite: 'enters', code: 'enters' } as const
const NOT_ADMITTED = { invite: 'comes into the tenant alone', code: 409 } as const
const UNKNOWN = { invite: 404, code: 404 } as const
const NO_ADMIN = { invite: 404, code: 'enters' } as const

const CASES: Readonly<Record<string, Case>> = {
  'an owner of a private space': { change: nothing, revokes: false, ...ENTERS },
  'no longer an owner': { change: (space, maker) => add(space, maker).expect(200), revokes: true, ...NOT_ADMITTED },
  'no longer an owner after a PATCH': {
    change: (space) =>
      h
        .as(ada)
        .patch(space, { owners: [ada.actor_id] })
        .expect(200),
    revokes: true,
    ...NOT_ADMITTED,
  },
  'removed from the private space': { change: remove, revokes: true, ...NOT_ADMITTED },
  'gone from the private space': {
    change: (space, maker) => h.as(maker).post(`${space}/leave`).expect(200),
    revokes: true,
    ...NOT_ADMITTED,
  },
  'no longer an admin': { change: (_, maker) => demote(maker), revokes: 'invites', ...NO_ADMIN },
  'removed from the tenant': {
    change: (_, { actor_id }) => h.as(ada).delete(`/api/tenants/${tenant}/members/${actor_id}`).expect(200),
    revokes: true,
    ...UNKNOWN,
  },
  'gone from the tenant': {
    change: (_, maker) => h.as(maker).post(`/api/tenants/${tenant}/leave`).expect(200),
    revokes: true,
    ...UNKNOWN,
  },
  disabled: {
    change: (_, { actor_id }) => h.as(ada).post(`/api/actors/${actor_id}/disable`).expect(200),
    revokes: true,
    ...UNKNOWN,
  },
  deleted: {
    change: (_, maker) => h.as(maker).delete(`/api/actors/${maker.actor_id}`).expect(200),
    revokes: true,
    ...UNKNOWN,
  },
  'a guest': {
    change: async (_, maker) => {
      await demote(maker)
      const access = `/api/tenants/${tenant}/members/${maker.actor_id}/access`
      await h.as(ada).put(access, { access: 'named' }).expect(200)
    },
    revokes: true,
    ...UNKNOWN,
  },
  'not an owner of a space that became private': {
    visibility: 'open',
    owns: false,
    change: (space) => h.as(ada).patch(space, { visibility: 'private' }).expect(200),
    revokes: true,
    ...NOT_ADMITTED,
  },
  'an owner of a space that became private': {
    visibility: 'open',
    change: (space) => h.as(ada).patch(space, { visibility: 'private' }).expect(200),
    revokes: false,
    ...ENTERS,
  },
  'a member of the tenant, for an open space': {
    visibility: 'open',
    owns: false,
    change: nothing,
    revokes: false,
    ...ENTERS,
  },
  'removed from an open space': { visibility: 'open', change: remove, revokes: true, ...ENTERS },
}

describe.each(Object.entries(WAYS))('%s', (_way, { table, make, redeem }) => {
  it.each(Object.entries(CASES))(
    "follows the current rights of a code's maker who is %s",
    async (_maker, { visibility = 'private', owns = true, ...rest }) => {
      const maker = await member()
      const space = await spaceOf(visibility, owns ? maker : null)
      const made = await make(maker, space).expect(200)
      const [column, id] = table === 'invites' ? ['invite_id', made.invite_id] : ['code_id', made.code_id]

      await rest.change(space, maker)
      const sql = `SELECT revoked_at IS NOT NULL AS revoked FROM ${table} WHERE ${column} = $1`
      const isRevoked = rest.revokes === true || rest.revokes === table
      expect((await query(h.connection, sql, [id])).rows).toEqual([{ revoked: isRevoked }])
      const revocations = await h.as(ada).get(`/api/audit?subject_id=${id}`).expect(200)
      const action = table === 'invites' ? 'invite.revoked' : 'agent_code.revoked'
      expect(revocations.some((entry: { action: string }) => entry.action === action)).toBe(isRevoked)
      // The redemption checks the rights by itself, also for a code that was not revoked.
      await query(h.connection, `UPDATE ${table} SET revoked_at = NULL WHERE ${column} = $1`, [id])

      const before = await insideOf(space)
      const outcome = table === 'invites' ? rest.invite : rest.code
      const answer = await redeem(made.code)
      answer.expect(typeof outcome === 'number' ? outcome : 200)
      const { actor_id, default_space_id } = typeof outcome === 'number' ? { actor_id: null } : JSON.parse(answer.text)
      const entrants = (await insideOf(space)).filter((inside) => !before.includes(inside))
      expect(entrants).toEqual(outcome === 'enters' ? [actor_id] : [])
      if (actor_id && table === 'invites') {
        expect(default_space_id).toBe(outcome === 'enters' ? spaceIdOf(space) : null)
      }
      const acts = await h.as(ada).get(`${space}/acts?about=space`).expect(200)
      expect(acts.filter(({ participant_id }: { participant_id: string }) => participant_id === actor_id)).toEqual(
        outcome === 'enters'
          ? [expect.objectContaining({ kind: 'participant_added', actor_id: maker.actor_id, credential_id: id })]
          : [],
      )
      const log = `/api/audit?subject_id=${spaceIdOf(space)}&action=space.participant_added`
      const admitted = (await h.as(ada).get(log).expect(200)).filter(
        ({ details }: { details: { participants: string[] } }) => details.participants.includes(actor_id),
      )
      expect(admitted.map(({ details }: { details: object }) => details)).toEqual(
        outcome === 'enters' ? [{ participants: [actor_id], admitted_by: maker.actor_id, code_id: id }] : [],
      )
    },
  )

  it('adds no participant to an archived space', async () => {
    const space = await spaceOf('open', null)
    const { code } = await make(ada, space).expect(200)
    await h.as(ada).post(`${space}/archive`).expect(200)
    const before = await insideOf(space)
    ;(await redeem(code)).expect(200)
    expect(await insideOf(space)).toEqual(before)
  })

  it('requires a maker who may add participants to the space: otherwise no code is created', async () => {
    const [admin, outsider] = [await member(), await member()]
    const space = await spaceOf('private', null)
    await make(outsider, space).expect(404, 'Space not found')
    await add(space, admin).expect(200)
    await make(admin, space).expect(403, 'Only owners of this space may do this')
    const { space_id } = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [bob.actor_id] })
      .expect(200)
    await make(ada, `/api/spaces/${space_id}`).expect(409, /^A conversation stays between those/)
  })

  it("adds no participant to a conversation, even with an owner's code", async () => {
    const space = await spaceOf('open', null)
    const { code, invite_id, code_id } = await make(ada, space).expect(200)
    const { space_id } = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [bob.actor_id] })
      .expect(200)
    await query(h.connection, 'UPDATE invites SET default_space_id = $2 WHERE invite_id = $1', [invite_id, space_id])
    await query(h.connection, 'UPDATE agent_codes SET space_ids = ARRAY[$2] WHERE code_id = $1', [code_id, space_id])
    ;(await redeem(code)).expect(table === 'invites' ? 200 : 409)
    expect(await insideOf(`/api/spaces/${space_id}`)).toEqual([ada.actor_id, bob.actor_id].sort())
  })
})

async function insideOf(space: string): Promise<string[]> {
  const sql = 'SELECT actor_id FROM participants WHERE tenant_id = $1 AND space_id = $2 ORDER BY actor_id'
  return (await query(h.connection, sql, [tenant, spaceIdOf(space)])).rows.map(({ actor_id }) => actor_id)
}

describe('an admin who does not own a private space', () => {
  const REFUSED = 'Only owners of this space may do this'

  it('admits no actor before making itself an owner', async () => {
    const admin = await member()
    const space = await spaceOf('private', null)
    await add(space, admin).expect(200)
    await add(space, bob, 'member', admin).expect(403, REFUSED)
    await add(space, bob, 'owner', admin).expect(403, REFUSED)
    await h
      .as(admin)
      .patch(space, { owners: [bob.actor_id] })
      .expect(403, REFUSED)
    expect(await insideOf(space)).not.toContain(bob.actor_id)
    await add(space, admin, 'owner', admin).expect(200)
    await add(space, bob, 'member', admin).expect(200)
  })

  it('admits no actor to a space that it has made private itself', async () => {
    const [admin, guest] = [await member(), await member(false)]
    const space = await spaceOf('open', null)
    await h.as(admin).patch(space, { visibility: 'private' }).expect(200)
    expect(await insideOf(space)).toEqual([ada.actor_id, admin.actor_id].sort())
    await add(space, guest, 'member', admin).expect(403, REFUSED)
  })
})

it("a guest cannot create an agent code for an open space, while the owner can add the guest's agent", async () => {
  const guest = await member(false)
  const access = `/api/tenants/${tenant}/members/${guest.actor_id}/access`
  const space = await spaceOf('open', null)
  await add(space, guest).expect(200)
  await h.as(ada).put(access, { access: 'named', may_sponsor_agents: true }).expect(200)
  await agentCode(guest, space).expect(403, 'Only owners of this space may do this')
  const agent = await h.registerAgent(guest, 'Scout', EVERYTHING)
  await add(space, agent).expect(200)
})
