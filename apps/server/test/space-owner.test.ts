import { type Actor, type Client, query, spaceIdOf, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
const operate = operatorOf(h)

const REFUSED = 'Only owners of this space may do this'

/** All are in one tenant, except the stranger, who is in the shared tenant. */
let tenant: string
let ada: Actor
let scout: Actor
let bob: Actor
let aide: Actor
let grace: Actor
let stranger: Actor

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  ;[ada, bob, grace, stranger] = [
    await h.registerHuman('Ada'),
    await h.registerHuman('Bob'),
    await h.registerHuman('Grace'),
    await h.registerHuman('Mallory'),
  ]
  ;[scout, aide] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await h.registerAgent(bob, 'Aide', EVERYTHING)]
  await moveInto(h.connection, tenant, ada, scout, bob, aide, grace)
  await makeAdmin(h.connection, grace)
})

const ownersOf = async (space: string, by = ada): Promise<string[]> =>
  (await h.as(by).get(`${space}/status`).expect(200)).owners

/** The operations of owners, in an order that allows repetition. */
const GUARDED: readonly (readonly [what: string, (client: Client, space: string, owners: string[]) => unknown])[] = [
  ['the description', (client, space) => client.patch(space, { description: 'Plans' })],
  ['the links', (client, space) => client.patch(space, { links: ['https://a.example'] })],
  ['a pause', (client, space) => client.patch(space, { status: 'paused' })],
  ['the end of a pause', (client, space) => client.patch(space, { status: 'active' })],
  ['nothing', (client, space) => client.patch(space, {})],
  ['the owners', (client, space, owners) => client.patch(space, { owners })],
  ['the policy', (client, space) => client.put(`${space}/policy`, { settle: { approvals: 1 } })],
  ['the end', (client, space) => client.post(`${space}/archive`)],
  ['the end, by the status', (client, space) => client.patch(space, { status: 'archived' })],
]
const isEnd = (what: string) => what.startsWith('the end,') || what === 'the end'

type PendingAnswer = ReturnType<Client['get']>

describe('a space', () => {
  it.each(['human', 'agent'] as const)('created by a %s is changed only by its owner and admins', async (kind) => {
    const creator = kind === 'human' ? ada : scout
    const space = await h.openSpace(creator)
    expect(await ownersOf(space)).toEqual([ada.actor_id])
    const listed = await h.as(bob).get('/api/spaces').expect(200)
    const entry = listed.find(({ space_id }: { space_id: string }) => space_id === spaceIdOf(space))
    expect(entry.owners).toEqual([ada.actor_id])

    for (const [what, ask] of GUARDED) {
      for (const caller of [bob, aide])
        await (ask(h.as(caller), space, [bob.actor_id]) as PendingAnswer).expect(403, REFUSED)
      await (ask(h.as(stranger), space, [bob.actor_id]) as PendingAnswer).expect(404, 'Space not found')
      for (const caller of [ada, scout, grace]) {
        await (ask(h.as(caller), space, [ada.actor_id]) as PendingAnswer).expect(200)
        if (!isEnd(what)) continue
        // The permission is checked before the state of the space.
        await (ask(h.as(bob), space, []) as PendingAnswer).expect(403, REFUSED)
        await (ask(h.as(caller), space, []) as PendingAnswer).expect(409, 'Space is archived')
        for (const other of [bob, aide]) await h.as(other).post(`${space}/unarchive`).expect(403, REFUSED)
        await h.as(stranger).post(`${space}/unarchive`).expect(404, 'Space not found')
        const back = await h.as(caller).post(`${space}/unarchive`).expect(200)
        expect(back).toMatchObject({ status: 'active', ended_at: null })
      }
    }
    expect(await ownersOf(space)).toEqual([ada.actor_id])
  })

  it('in the shared tenant is changed only by its owner, as there are no admins', async () => {
    const [eve, other] = [await h.registerHuman('Eve'), await h.registerHuman('Other')]
    const space = await h.openSpace(eve)
    for (const [, ask] of GUARDED) {
      for (const caller of [other, stranger, await h.registerAgent(other, 'Scout', EVERYTHING)]) {
        await (ask(h.as(caller), space, [eve.actor_id]) as PendingAnswer).expect(403, REFUSED)
      }
    }
    expect(await h.as(eve).get(`${space}/status`).expect(200)).toMatchObject({ status: 'active', description: '' })
    await h.as(eve).post(`${space}/archive`).expect(200)
  })

  it('lets every actor join, post, link and settle decisions', async () => {
    const space = await h.openSpace(ada)
    await h.as(aide).post(`${space}/join`).expect(200)
    await h.as(bob).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    await h.as(bob).post(`${space}/links`, { target_uri: 'https://a.example' }).expect(200)
    const proposal = { proposed_by: 'Bob', text: 'Go' }
    const { decision_id } = await h.as(bob).post(`${space}/decisions`, proposal).expect(200)
    const outcome = { resolved_by: 'Aide', resolution: 'Yes', status: 'resolved' }
    await h.as(aide).put(`${space}/decisions/${decision_id}/resolve`, outcome).expect(200)
  })
})

describe('POST /api/spaces/{space_id}/participants', () => {
  it('keeps the owners without a role, and one of them with any', async () => {
    const space = await h.openSpace(scout)
    const add = ({ actor_id }: Actor, role?: string) =>
      h.as(scout).post(`${space}/participants`, { actor_id, ...(role && { role }) })
    expect(await add(ada).expect(200)).toMatchObject({ role: 'owner' })
    const owners = [ada.actor_id, bob.actor_id].sort()
    await h.as(ada).patch(space, { owners }).expect(200)
    expect(await add(bob).expect(200)).toMatchObject({ role: 'owner' })
    expect(await add(grace).expect(200)).toMatchObject({ role: 'member' })
    expect(await ownersOf(space)).toEqual(owners)
    expect(await add(bob, 'member').expect(200)).toMatchObject({ role: 'member' })
    await add(ada, 'member').expect(409, 'A space needs an owner: name another one first')
    expect(await ownersOf(space)).toEqual([ada.actor_id])
  })
})

describe('PATCH /api/spaces/{space_id} with owners', () => {
  it('replaces the owners, and former ones lose their rights', async () => {
    const space = await h.openSpace(scout)
    const owners = [bob.actor_id, ada.actor_id].sort()
    const patched = await h
      .as(scout)
      .patch(space, { owners: [...owners, bob.actor_id] })
      .expect(200)
    expect(patched.owners).toEqual(owners)
    await h.as(aide).patch(space, { description: 'By an agent of an owner' }).expect(200)
    expect(
      (
        await h
          .as(bob)
          .patch(space, { owners: [bob.actor_id] })
          .expect(200)
      ).owners,
    ).toEqual([bob.actor_id])
    for (const caller of [ada, scout]) await h.as(caller).patch(space, { description: 'Mine' }).expect(403, REFUSED)
    expect(
      (
        await h
          .as(grace)
          .patch(space, { owners: [ada.actor_id] })
          .expect(200)
      ).owners,
    ).toEqual([ada.actor_id])
  })

  it.each([
    [(): unknown => [], 'owners: must name at least one human'],
    [(): unknown => 'ada', /^owners: must be an array/],
    [(): unknown => Array(51).fill(ada.actor_id), 'owners: must have at most 50 entries'],
    [(): unknown => [ada.actor_id, UNKNOWN_ACTOR], 'owners.1: must be the id of a human in this tenant'],
    [(): unknown => [scout.actor_id], 'owners.0: must be the id of a human in this tenant'],
    [(): unknown => [stranger.actor_id], 'owners.0: must be the id of a human in this tenant'],
  ] as const)('returns 400 with the cause for invalid owners: %#', async (owners, detail) => {
    const space = await h.openSpace(ada)
    await h.as(ada).patch(space, { description: 'Changed', owners: owners() }).expect(400, detail)
    expect(await h.as(ada).get(`${space}/status`).expect(200)).toMatchObject({
      description: '',
      owners: [ada.actor_id],
    })
  })

  it('is recorded as an act and in the security log', async () => {
    const space = await h.openSpace(ada)
    await h
      .as(scout)
      .patch(space, { owners: [ada.actor_id, bob.actor_id] })
      .expect(200)
    await h
      .as(ada)
      .patch(space, { owners: [bob.actor_id, ada.actor_id] })
      .expect(200)
    expect(await h.as(bob).get(`${space}/acts`).expect(200)).toEqual([
      {
        space_id: spaceIdOf(space),
        position: 1,
        decision_id: null,
        kind: 'owners_changed',
        actor_id: scout.actor_id,
        actor_type: 'agent',
        sponsor_id: ada.actor_id,
        credential_id: 'api_key',
        created_at: expect.stringMatching(TIMESTAMP),
        before: [ada.actor_id],
        after: [ada.actor_id, bob.actor_id].sort(),
      },
    ])
    const [entry] = await h.as(grace).get('/api/audit?limit=1').expect(200)
    expect(entry).toMatchObject({
      action: 'space.owners_changed',
      actor_id: scout.actor_id,
      details: { before: [ada.actor_id], after: [ada.actor_id, bob.actor_id].sort() },
    })
  })
})

describe('an owner who has left', () => {
  it('is no longer listed, and an admin can name a new owner', async () => {
    const cy = await h.registerHuman('Cy')
    await moveInto(h.connection, tenant, cy)
    const space = await h.openSpace(cy)
    await h
      .as(cy)
      .patch(space, { owners: [cy.actor_id, bob.actor_id] })
      .expect(200)
    await h.as(grace).delete(`/api/tenants/${tenant}/members/${cy.actor_id}`).expect(200)
    expect(await ownersOf(space)).toEqual([bob.actor_id])
    await h.as(cy).patch(space, { description: 'x' }).expect(404, 'Space not found')

    const dee = await h.registerHuman('Dee')
    await moveInto(h.connection, tenant, dee)
    const deserted = await h.openSpace(dee)
    await h.as(dee).delete(`/api/actors/${dee.actor_id}`).expect(200)
    expect(await ownersOf(deserted)).toEqual([])
    await h.as(ada).post(`${deserted}/archive`).expect(403, REFUSED)
    await h
      .as(grace)
      .patch(deserted, { owners: [ada.actor_id] })
      .expect(200)
    await h.as(ada).post(`${deserted}/archive`).expect(200)
  })

  it('is replaced by the operator in the shared tenant', async () => {
    const [eve, heir] = [await h.registerHuman('Eve'), await h.registerHuman('Heir')]
    const space = await h.openSpace(eve)
    await h.as(eve).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    expect(await ownersOf(space, heir)).toEqual([])
    await h.as(heir).patch(space, { description: 'Mine' }).expect(403, REFUSED)
    const add = (actorId: string, spaceId = spaceIdOf(space)) =>
      operate('space', 'owner', 'add', '00000000-0000-4000-8000-000000000000', spaceId, actorId)
    await expect(add(eve.actor_id)).rejects.toThrow('owners.0: must be the id of a human in this tenant')
    await expect(add(heir.actor_id, 'nothing')).rejects.toThrow('Space not found')
    expect(await add(heir.actor_id)).toEqual([`The space ${spaceIdOf(space)} belongs to ${heir.actor_id}.`])
    await h.as(heir).patch(space, { description: 'Mine' }).expect(200)
    expect(await h.as(heir).get(`${space}/acts?about=space`).expect(200)).toMatchObject([
      { kind: 'owners_changed', actor_id: null, credential_id: 'operator', before: [], after: [heir.actor_id] },
    ])
  })
})

describe('POST /api/spaces/{space_id}/unarchive', () => {
  const age = (space: string, interval: string) =>
    query(h.connection, 'UPDATE spaces SET ended_at = now() - $2::interval WHERE space_id = $1', [
      spaceIdOf(space),
      interval,
    ])

  it('restores a space within 30 days, and is in the security log', async () => {
    const space = await h.openSpace(ada)
    await h.as(bob).post(`${space}/join`).expect(200)
    await h.as(bob).post(`${space}/speech`, { text: 'Before' }).expect(200)
    const before = await h.as(ada).get(`${space}/status`).expect(200)
    await h.as(ada).post(`${space}/archive`).expect(200)
    await age(space, '29 days 23 hours')
    await h.as(ada).patch(space, { status: 'active' }).expect(409, 'Space is archived')
    expect(await h.as(ada).post(`${space}/unarchive`).expect(200)).toEqual(before)
    await h.as(bob).post(`${space}/speech`, { text: 'After' }).expect(200)
    const entries = await h.as(grace).get('/api/audit?limit=2').expect(200)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['space.unarchived', 'space.archived'])
  })

  it('returns 409 after 30 days', async () => {
    const space = await h.openSpace(ada)
    await h.as(ada).patch(space, { status: 'archived' }).expect(200)
    await age(space, '30 days 1 second')
    for (const caller of [ada, grace]) {
      await h
        .as(caller)
        .post(`${space}/unarchive`)
        .expect(409, 'Space was archived more than 30 days ago and stays so; create a new one and link to it')
    }
    expect((await h.as(ada).get(`${space}/status`).expect(200)).status).toBe('archived')
  })

  it('returns 409 for a space that is not archived, and 404 for an unknown one', async () => {
    const space = await h.openSpace(ada)
    await h.as(ada).post(`${space}/unarchive`).expect(409, 'Space is not archived')
    await h.as(ada).post('/api/spaces/nothing/unarchive').expect(404, 'Space not found')
  })
})
