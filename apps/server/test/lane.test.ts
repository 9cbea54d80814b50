import type { DueChannel } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { expect, it } from 'vitest'
import { Lane } from '../src/notifications/lane.js'

let count = 0
const channel = (actorId: string, host = 'push.example.org'): DueChannel => ({
  tenantId: DEFAULT_TENANT,
  actorId,
  channelId: String(++count),
  kind: 'push',
  address: `https://${host}/send/${count}`,
})

const laneOf = (width: { total: number; ofHuman: number; ofHost: number }, ...channels: DueChannel[]) => {
  const lane = new Lane('push', width)
  for (const one of channels) lane.push(one)
  return lane
}

const taken = (lane: Lane) => {
  const turns = []
  for (let turn = lane.next(); turn; turn = lane.next()) turns.push(turn)
  return turns
}

const ownersOf = (turns: ReturnType<typeof taken>) => turns.map((turn) => turn.channel.actorId)

it('a lane alternates between humans', () => {
  const lane = laneOf(
    { total: 9, ofHuman: 9, ofHost: 9 },
    ...['ada', 'ada', 'ada', 'bob', 'eve'].map((who) => channel(who)),
  )
  expect(ownersOf(taken(lane))).toEqual(['ada', 'bob', 'eve', 'ada', 'ada'])
})

it('a lane limits the places of one human', () => {
  const lane = laneOf({ total: 4, ofHuman: 2, ofHost: 9 }, ...['ada', 'ada', 'ada', 'bob'].map((who) => channel(who)))
  const turns = taken(lane)
  expect(ownersOf(turns)).toEqual(['ada', 'bob', 'ada'])
  turns.find((turn) => turn.channel.actorId === 'ada')?.end()
  expect(ownersOf(taken(lane))).toEqual(['ada'])
})

it('a lane limits the places of one host across all recipients', () => {
  const slow = ['ada', 'bob', 'eve'].map((who) => channel(who, 'slow.example.org'))
  const lane = laneOf({ total: 9, ofHuman: 9, ofHost: 2 }, ...slow, channel('fay'))
  expect(ownersOf(taken(lane))).toEqual(['ada', 'bob', 'fay'])
})

it('a lane gives a channel one turn at a time', () => {
  const one = channel('ada')
  const lane = laneOf({ total: 1, ofHuman: 1, ofHost: 1 }, one, one)
  const [turn, ...more] = taken(lane)
  expect(more).toEqual([])
  lane.push(one)
  expect(lane.isDrained).toBe(true)
  expect(lane.known).toEqual([one.channelId])
  turn?.end()
  expect(lane.known).toEqual([])
})

it('a lane accepts an address that is no URL', () => {
  const lane = laneOf({ total: 9, ofHuman: 9, ofHost: 9 }, { ...channel('ada'), address: 'nowhere' }, channel('bob'))
  expect(ownersOf(taken(lane))).toEqual(['ada', 'bob'])
})
