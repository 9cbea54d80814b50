import { MAX_VIEWS } from '@collab-spaces/domain'
import { type Actor, type Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { MessageReader } from './support/stream.js'

/** Presence: the views of the page report it to any server, and participants of a common space see it. */

const here = useServer()
const there = useServer({}, here)

let ada: Actor
let bob: Actor
let space: string

beforeEach(async () => {
  ada = await here.registerHuman('Ada')
  bob = await here.registerHuman('Bob')
  space = await spaceOf(ada, bob)
})

const opened: MessageReader[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((reader) => reader.close()))
})

async function spaceOf(...actors: Actor[]): Promise<string> {
  const path = await here.openSpace(ada)
  for (const actor of actors) await here.as(actor).post(`${path}/join`).expect(200)
  return path
}

const report = (visible: boolean, view = 'a tab', client: Client = here.as(ada)) =>
  client.put('/api/actors/me/presence', { view, visible }).expect(200)

const setShown = (shows_presence: boolean) =>
  here.as(ada).put('/api/actors/me/notifications', { shows_presence }).expect(200)

/** Returns whether a client sees that Ada is present in the space. */
async function isSeen(client: Client): Promise<boolean> {
  const participants = await client.get(`${space}/participants`).expect(200)
  return participants.find(({ actor_id }: Actor) => actor_id === ada.actor_id).is_present
}

const crash = () =>
  query(here.connection, `UPDATE presences SET expires_at = now() WHERE actor_id = $1`, [ada.actor_id])

describe('A person with a visible view of the page', () => {
  it('is present in all lists of people, on every server, until the last view is hidden', async () => {
    const { space_id } = await here
      .as(ada)
      .post('/api/conversations', { actor_ids: [bob.actor_id] })
      .expect(200)
    const all = async () => {
      const client = there.as(bob)
      const [card, status, spaces] = [
        await client.get(`/api/actors/${ada.actor_id}`).expect(200),
        await client.get(`${space}/status`).expect(200),
        await client.get('/api/actors/me/spaces').expect(200),
      ]
      const conversation = spaces.find((each: { space_id: string }) => each.space_id === space_id)
      const [partner] = conversation.partners
      const listed = status.participants.find(({ actor_id }: Actor) => actor_id === ada.actor_id)
      return [card.is_present, listed.is_present, await isSeen(client), partner.is_present]
    }
    expect(await all()).toEqual([false, false, false, false])
    await report(true, 'a tab')
    await report(true, 'a phone', there.as(ada))
    expect(await all()).toEqual([true, true, true, true])
    await report(false, 'a tab')
    expect(await all()).toEqual([true, true, true, true])
    await report(false, 'a phone')
    expect(await all()).toEqual([false, false, false, false])
  })

  it('is present with 50 views at most', async () => {
    for (let n = 0; n < MAX_VIEWS; n++) await report(true, `tab ${n}`)
    await report(true, 'one too many')
    await report(true, 'tab 0')
    for (let n = 0; n < MAX_VIEWS; n++) {
      expect(await isSeen(here.as(bob))).toBe(true)
      await report(false, `tab ${n}`)
    }
    expect(await isSeen(here.as(bob))).toBe(false)
  })

  it('is not present once the report of a crashed view has expired', async () => {
    await report(true)
    expect(await isSeen(here.as(bob))).toBe(true)
    await crash()
    expect(await isSeen(here.as(bob))).toBe(false)
    await eventually(async () => {
      const { rowCount } = await query(here.connection, 'SELECT FROM presences WHERE actor_id = $1', [ada.actor_id])
      return rowCount === 0
    })
  })

  it('is present in the answer when it joins or is added', async () => {
    await report(true)
    const path = await here.openSpace(bob)
    await here.as(bob).post(`${path}/join`).expect(200)
    const added = await here.as(bob).post(`${path}/participants`, { actor_id: ada.actor_id }).expect(200)
    expect(added).toMatchObject({ is_present: true })
    expect(await here.as(ada).post(`${path}/join`).expect(200)).toMatchObject({ is_present: true })
  })
})

describe('Presence', () => {
  it('is visible to participants only', async () => {
    await report(true)
    const eve = await here.registerHuman('Eve')
    expect(await isSeen(here.as(eve))).toBe(false)
    const other = await here.openSpace(eve)
    await here.as(eve).post(`${other}/join`).expect(200)
    await here.as(eve).get(`/api/actors/${ada.actor_id}`).expect(404)
    await here.as(ada).post(`${other}/join`).expect(200)
    // For the card, any common space is enough.
    expect(await here.as(eve).get(`/api/actors/${ada.actor_id}`).expect(200)).toMatchObject({ is_present: true })
    expect(await isSeen(here.as(eve))).toBe(false)
    await here.as(eve).post(`${space}/join`).expect(200)
    expect(await isSeen(here.as(eve))).toBe(true)
  })

  it('is not visible to the sponsor who only reads a conversation', async () => {
    const agent = await here.registerAgent(bob)
    const talk = spaceIdOf(await here.openConversation(ada, agent))
    await report(true)
    const spaces = await here.as(bob).get('/api/spaces').expect(200)
    const { partners } = spaces.find(({ space_id }: { space_id: string }) => space_id === talk)
    expect(partners.find(({ actor_id }: Actor) => actor_id === ada.actor_id)).toMatchObject({ is_present: false })
  })

  it('is hidden if the person does not show it', async () => {
    await report(true)
    expect(await setShown(false)).toMatchObject({ shows_presence: false })
    expect(await isSeen(here.as(bob))).toBe(false)
    expect(await here.as(bob).get(`/api/actors/${ada.actor_id}`).expect(200)).toMatchObject({ is_present: false })
    expect(await setShown(true)).toMatchObject({ shows_presence: true })
    expect(await isSeen(here.as(bob))).toBe(true)
  })

  it('is refused to agents, and deleted with the account', async () => {
    const agent = await here.registerAgent(bob)
    await here.as(agent).put('/api/actors/me/presence', { view: 'x', visible: true }).expect(403)
    await report(true)
    await here.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    const { rowCount } = await query(here.connection, 'SELECT FROM presences WHERE actor_id = $1', [ada.actor_id])
    expect(rowCount).toBe(0)
  })
})

describe('A stream', () => {
  async function open(client: Client, follow = ''): Promise<MessageReader> {
    const reader = await MessageReader.openAt(client, `/api/actors/me/stream?follow=${follow}`)
    opened.push(reader)
    return reader.until(({ comments }) => comments.length > 0)
  }

  const presencesIn = (reader: MessageReader) =>
    reader.named('presence').flatMap(({ actors }) => {
      expect(actors.map(({ actor_id }: Actor) => actor_id)).toEqual([ada.actor_id])
      return actors.map(({ is_present }: { is_present: boolean }) => is_present)
    })
  const until = (reader: MessageReader, all: readonly boolean[]) =>
    reader.until((reader) => JSON.stringify(presencesIn(reader)) === JSON.stringify(all))

  it('reports each change of presence once, in followed spaces and conversations', async () => {
    await here
      .as(ada)
      .post('/api/conversations', { actor_ids: [bob.actor_id] })
      .expect(200)
    const cleo = await here.registerHuman('Cleo')
    await here.as(cleo).post(`${space}/join`).expect(200)
    const [bobs, cleos] = [await open(there.as(bob)), await open(there.as(cleo), spaceIdOf(space))]
    await report(true)
    for (const reader of [bobs, cleos]) await until(reader, [true])
    await report(true, 'another tab')
    await report(true)
    await report(false)
    await report(false, 'another tab')
    for (const reader of [bobs, cleos]) await until(reader, [true, false])
    await report(true)
    for (const reader of [bobs, cleos]) await until(reader, [true, false, true])
    await crash()
    for (const reader of [bobs, cleos]) await until(reader, [true, false, true, false])
  })

  it('reports nothing to readers outside the space, nor of people who hide their presence', async () => {
    const eve = await here.registerHuman('Eve')
    const [eves, bobs] = [await open(there.as(eve), spaceIdOf(space)), await open(there.as(bob), spaceIdOf(space))]
    await report(true)
    await until(bobs, [true])
    await setShown(false)
    await until(bobs, [true, false])
    await report(false)
    await report(true)
    await crash()
    await report(true)
    await setShown(true)
    await until(bobs, [true, false, true])
    expect(presencesIn(eves)).toEqual([])
  })
})
