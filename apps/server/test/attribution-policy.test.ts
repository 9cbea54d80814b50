import { lookalikeForm } from '@collab-spaces/domain'
import { type Actor, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

type Member = Actor & { readonly tenant_id: string }

let ada: Member
let grace: Actor
let scout: Actor
let path: string

async function join(admin: Member, name: string): Promise<Member> {
  const { code } = await h.as(admin).post('/api/invites', {}).expect(200)
  const actor = await h.registerHuman(name)
  await h.as(actor).post('/api/invites/redeem', { code }).expect(200)
  return { ...actor, tenant_id: admin.tenant_id }
}

const setPolicy = (attribution: string) =>
  h.as(ada).put(`/api/tenants/${ada.tenant_id}/policy`, { attribution }).expect(200)

beforeAll(async () => {
  const founder = await h.registerHuman('Ada Lovelace')
  const { tenant_id } = await h.as(founder).post('/api/tenants', { name: 'Acme' }).expect(200)
  ada = { ...founder, tenant_id }
  grace = await join(ada, 'Grace')
  scout = await h.registerAgent(ada, 'Scout')
  const space_id = 'attribution'
  await h.as(ada).post('/api/spaces', { space_id }).expect(200)
  path = `/api/spaces/${space_id}`
})

const NO_MEMBERS = /^The tenant's policy forbids attribution to another member: /
const NONE = /^The tenant's policy forbids attribution: /

const speech = (by: Actor, more: object = {}) => h.as(by).post(`${path}/speech`, { text: 'Hello', ...more })
const event = (by: Actor, id: string, name: string, more: object = {}) =>
  h.as(by).post(`${path}/events`, { text: 'Hello', speaker_id: id, speaker_name: name, ...more })
const batch = (by: Actor, events: readonly object[]) =>
  h.as(by).post(`${path}/events/batch`, { events: events.map((more) => ({ text: 'Hello', ...more })) })

describe('the default attribution policy of a tenant', () => {
  it("rejects the ID and the name of another member, also of an agent's sponsor", async () => {
    await speech(scout, { speaker_id: ada.actor_id }).expect(403, NO_MEMBERS)
    await speech(grace, { speaker_id: scout.actor_id }).expect(403, NO_MEMBERS)
    await speech(grace, { speaker_name: 'Scout' }).expect(403, NO_MEMBERS)
    await speech(ada, { speaker_id: grace.actor_id }).expect(403, NO_MEMBERS)
    await event(scout, grace.actor_id, 'Zoe').expect(403, NO_MEMBERS)
    const refused = batch(scout, [
      { speaker_id: 'mic-1', speaker_name: 'A guest' },
      { speaker_id: grace.actor_id, speaker_name: 'Grace' },
    ])
    await refused.expect(403, /^events\.1: The tenant's policy forbids attribution to another member: /)
  })

  it("lets a human attribute to its own agents, also deleted ones, but under no other member's name", async () => {
    const other = await h.registerAgent(ada, 'Second Scout')
    const gone = await h.registerAgent(ada, 'Gone')
    await h.as(ada).delete(`/api/actors/${gone.actor_id}`).expect(200)
    for (const agent of [scout, gone]) {
      const stored = await event(ada, agent.actor_id, agent.display_name).expect(200)
      expect(stored).toMatchObject({ speaker_id: agent.actor_id, posted_by: ada.actor_id })
    }
    await event(ada, scout.actor_id, 'Grace').expect(403, NO_MEMBERS)
    await event(scout, other.actor_id, 'Second Scout').expect(403, NO_MEMBERS)
  })

  it('makes POST /api/events/check return what a batch would be rejected for, without a write', async () => {
    const check = (by: Actor, events: readonly object[]) =>
      h.as(by).post('/api/events/check', { events: events.map((more) => ({ text: 'Hello', ...more })) })
    const before = (await h.as(ada).get(`${path}/status`).expect(200)).event_count
    const own = { speaker_id: scout.actor_id, speaker_name: 'Scout' }
    const foreign = { speaker_id: grace.actor_id, speaker_name: 'Grace' }
    expect(await check(ada, [own, { speaker_id: 'mic-1', speaker_name: 'A guest' }]).expect(200)).toEqual({ ok: true })
    await check(ada, [own, foreign]).expect(
      403,
      /^events\.1: The tenant's policy forbids attribution to another member: /,
    )
    await check(grace, [foreign, own]).expect(403, /^events\.1: /)
    await check(ada, [own, { ...own, text: '' }]).expect(400, /^events\.1\.text: /)
    await check(ada, []).expect(400)
    await setPolicy('free')
    await check(ada, [foreign]).expect(200)
    await setPolicy('no_members')
    expect((await h.as(ada).get(`${path}/status`).expect(200)).event_count).toBe(before)
  })

  it.each([
    'Ada Lovelace',
    'ADA LOVELACE',
    '  Ada   Lovelace ',
    'AdaLovelace',
    'Ada\u2800Lovelace',
    'Ada\u3164Lovelace',
    'Ada\u115f Lovelace',
    'Ada\u200b Love\u00adlace',
    'Ａｄａ\u3000Lovelace',
    'Аda Lоvelace',
    'Ada LoveIace',
    'A\u2060da Lovelace\u{e0041}',
    'Adá Lovelacé',
    'Αda Lоνelасе',
    'Ada ᒪovelace',
    '𝐀da 𝖫ovelace',
    '\u202eecalevoL adA',
    'Ada \u202eecalevoL',
    '\u202eecal\u202dLove\u202c adA',
    '\u2067Lovelace\u200f Ada\u2069',
  ])('rejects a name that looks like the name of a member: %j', async (name) => {
    await speech(scout, { speaker_name: name }).expect(403, NO_MEMBERS)
    await event(scout, 'mic-1', name, { speaker_type: 'transcript' }).expect(403, NO_MEMBERS)
  })

  it.each([
    ['Conor Smith', 'Conor Srnith'],
    ['Conor Smith', '\u202ehtimS ronoC'],
    ['Bill', 'BiII'],
    ['Мария', 'Maрия'],
    ['Øyvind', 'Oyvind'],
    ['ニコ', '二コ'],
  ])('for a member called %s, rejects %j until the member is deleted', async (name, like) => {
    const member = await join(ada, name)
    await event(scout, 'mic-1', like).expect(403, NO_MEMBERS)
    await h.as(member).delete(`/api/actors/${member.actor_id}`).expect(200)
    await event(scout, 'mic-1', like).expect(200)
  })

  it('compares names in the database as in the domain', async () => {
    // Without ideographs, syllables and letters that only the newer of the two Unicode versions has.
    const letters = /[\p{L}\p{N}\p{M}\p{P}\p{S}\p{Z}\p{Cf}]/u
    const ranges = [
      [1, 0x3400],
      [0xa000, 0xa7ce],
      [0xa7f2, 0xac10],
      [0xf900, 0x10000],
      [0x10000, 0x11000],
      [0x1d400, 0x1d800],
    ] as const
    const characters = ranges
      .flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)))
      .filter((character) => letters.test(character))
    const names = [...characters.map((character) => `a${character}b`), 'Conor Srnith', 'Moon dzo lots able']
    const { rows } = await query(h.connection, 'SELECT n, folded_name(n) AS form FROM unnest($1::text[]) n', [names])
    const differing = rows.filter(({ n, form }) => form !== lookalikeForm(n))
    expect(differing.map(({ n, form }) => [n, form, lookalikeForm(n)])).toEqual([])
  })

  it('lets every actor speak as itself, and for speakers who are not members', async () => {
    expect(await speech(scout).expect(200)).toMatchObject({ speaker_id: scout.actor_id, speaker_type: 'human' })
    await speech(scout, { speaker_id: scout.actor_id, speaker_name: 'scout' }).expect(200)
    await event(scout, 'mic-1', 'Ada Byron', { speaker_type: 'transcript' }).expect(200)
    await speech(ada, { speaker_id: 'mic-2', speaker_name: 'Lovelace' }).expect(200)
    await batch(scout, [{ speaker_id: 'mic-1', speaker_name: 'A guest' }]).expect(200)
    await h.as(scout).post(`${path}/response`, { text: 'Hello', agent_name: 'Ada Lovelace' }).expect(200)
  })

  it('rejects the ID of a deleted member, but accepts its name', async () => {
    const eve = await join(ada, 'Eve')
    await event(scout, 'mic-1', 'Eve').expect(403, NO_MEMBERS)
    await h.as(eve).delete(`/api/actors/${eve.actor_id}`).expect(200)
    await event(scout, 'mic-1', 'Eve').expect(200)
    await event(scout, eve.actor_id, 'Zoe').expect(403, NO_MEMBERS)
  })

  it('ignores members of other tenants', async () => {
    const bob = await h.registerHuman('Bob')
    await event(scout, bob.actor_id, 'Bob').expect(200)
  })

  it('is checked after unknown IDs and invalid input, and before the status of the space', async () => {
    const claim = { speaker_id: grace.actor_id, speaker_name: 'Grace', text: 'Hello' }
    const unknown = '019b8d94-cdc8-74cf-84b6-a597dbe84e7d'
    await h.as(scout).post('/api/spaces/nowhere/events', claim).expect(404, 'Space not found')
    await event(scout, grace.actor_id, 'Grace', { thread_id: unknown }).expect(404, 'Thread not found')
    await event(scout, grace.actor_id, 'Grace', { parent_event_id: unknown }).expect(404, 'Parent event not found')
    const missing = { ...claim, thread_id: unknown }
    await batch(scout, [{ ...claim, speaker_id: 'mic-1', speaker_name: 'A guest' }, missing]).expect(
      404,
      'events.1: Thread not found',
    )
    await event(scout, grace.actor_id, 'Grace', { text: '' }).expect(400, /^text: /)
    const space_id = 'paused-attribution'
    await h.as(ada).post('/api/spaces', { space_id }).expect(200)
    await h.as(ada).patch(`/api/spaces/${space_id}`, { status: 'paused' }).expect(200)
    await h.as(scout).post(`/api/spaces/${space_id}/events`, claim).expect(403, NO_MEMBERS)
  })
})

describe('the attribution policy', () => {
  it('`none` rejects every speaker but the poster itself', async () => {
    await setPolicy('none')
    await event(scout, 'mic-1', 'A guest').expect(403, NONE)
    await speech(scout, { speaker_name: 'A guest' }).expect(403, NONE)
    await event(scout, scout.actor_id, 'Scout', { speaker_type: 'system' }).expect(403, NONE)
    await batch(scout, [{ speaker_id: 'mic-1', speaker_name: 'A guest' }]).expect(
      403,
      /^events\.0: The tenant's policy/,
    )
    expect(await speech(scout).expect(200)).toMatchObject({ speaker_type: 'human', posted_by_type: 'agent' })
    await event(scout, scout.actor_id, 'Scout').expect(200)
    await h.as(ada).post(`${path}/response`, { text: 'Hello' }).expect(200)
  })

  it('`free` accepts any speaker', async () => {
    await setPolicy('free')
    await event(scout, grace.actor_id, 'Grace').expect(200)
    await event(scout, scout.actor_id, 'Scout', { speaker_type: 'system' }).expect(200)
  })

  it('accepts the retry of a stored event after a change, and rejects new events under its keys', async () => {
    await setPolicy('free')
    const claim = { text: 'Hello', speaker_id: grace.actor_id, speaker_name: 'Grace' }
    const keyed = (key: string, body: object) =>
      h.as(scout).post(`${path}/events`, body, { headers: { 'Idempotency-Key': key } })
    const first = await keyed('once', claim).expect(200)
    const together = [{ ...claim, idempotency_key: 'twice' }]
    const stored = await batch(scout, together).expect(200)
    for (const attribution of ['no_members', 'none']) {
      await setPolicy(attribution)
      expect(await keyed('once', claim).expect(200)).toEqual(first)
      expect(await batch(scout, together).expect(200)).toEqual(stored)
      await keyed('once', { ...claim, text: 'Other' }).expect(409, /^Idempotency-Key/)
      await keyed(`new under ${attribution}`, claim).expect(403)
      await batch(scout, [...together, { ...claim, idempotency_key: `new in ${attribution}` }]).expect(
        403,
        /^events\.1: /,
      )
    }
    await setPolicy('no_members')
  })

  it('does not apply in the shared default tenant, which has no admin', async () => {
    const bob = await h.registerHuman('Bob')
    const bot = await h.registerAgent(bob, 'Bot')
    const path = await h.openSpace(bob)
    const claim = { text: 'Hello', speaker_id: bob.actor_id, speaker_name: 'Bob' }
    expect(await h.as(bot).post(`${path}/events`, claim).expect(200)).toMatchObject({
      speaker_name: 'Bob',
      posted_by_name: 'Bot',
      posted_by_type: 'agent',
    })
  })
})
