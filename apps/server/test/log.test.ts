import { isConsistent, parseCheckpoint, readReceipt } from '@collab-spaces/merkle'
import { type Actor, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyOf, readLog, sealed } from './support/sealed.js'
import { useServer } from './support/server.js'

const h = useServer()
let ada: Actor
let scout: Actor
let key: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
  key = await keyOf(h)
})

/** Posts events with texts beyond ASCII, and returns their ids. */
async function write(path: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let done = 0; done < count; done += 100) {
    const events = Array.from({ length: Math.min(100, count - done) }, (_, at) => ({
      speaker_id: 'a source',
      speaker_name: 'A source',
      speaker_type: 'human',
      text: `Grüße ${done + at} 🙂`,
    }))
    const answer = await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    ids.push(...answer.map(({ event_id }: { event_id: string }) => event_id))
  }
  return ids
}

const exported = async (log: string, after = 0) => (await h.as(ada).get(`${log}/export?after=${after}`)).text

describe('a checkpoint', () => {
  it('covers an event within two seconds, and exists for a space without events', async () => {
    const path = await h.openSpace(ada)
    const log = `${path}/log`
    const empty = await h.as(ada).get(`${log}/checkpoint`).expect(200)
    expect(empty).toMatchObject({
      size: 0,
      root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      epoch: 1,
      sealed_at: null,
    })
    await h.as(ada).post(`${path}/speech`, { text: 'Hi' }).expect(200)
    const written = performance.now()
    const { checkpoint, origin } = await sealed(h.as(ada), log, 1)
    expect(performance.now() - written).toBeLessThan(2_000)
    expect(checkpoint.startsWith(`${origin}\n1\n`)).toBe(true)
    const unsealed = await h.as(ada).post(`${path}/speech`, { text: 'Ho' }).expect(200)
    const answer = await h.as(ada).get(`${log}/proof?event_id=${unsealed.event_id}`)
    answer.expect(409, 'This is not sealed yet; try again shortly')
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  it('is consistent with each earlier one', async () => {
    const path = await h.openSpace(ada)
    const log = `${path}/log`
    const notes: string[] = []
    for (const size of [3, 260, 600]) {
      await write(path, size - (notes.length === 0 ? 0 : ([3, 260][notes.length - 1] as number)))
      notes.push((await sealed(h.as(ada), log, size)).checkpoint)
    }
    const says = notes.map((note) => parseCheckpoint(note))
    for (const [from, to] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const [older, newer] = [says[from], says[to]]
      if (!older || !newer) throw new Error('a checkpoint is none')
      const { proof } = await h.as(ada).get(`${log}/consistency?from=${older.size}&to=${newer.size}`).expect(200)
      const hashes = proof.map((hash: string) => Buffer.from(hash, 'base64'))
      expect(isConsistent(older, newer, hashes)).toBe(true)
    }
    await h.as(ada).get(`${log}/consistency?from=5&to=4`).expect(400, 'from: must not be larger than `to`')
    await h.as(ada).get(`${log}/consistency?from=5&to=900`).expect(409)
  })
})

describe('an exported log', () => {
  it('is valid as a whole, in parts, and against an earlier checkpoint', async () => {
    const path = await h.openSpace(ada)
    const log = `${path}/log`
    const ids = await write(path, 300)
    const { checkpoint } = await sealed(h.as(ada), log, 300)
    const text = await exported(log)
    expect(readLog(text, key)).toMatchObject({ after: 0, redactions: 0, origin: { spaceId: path.split('/').at(-1) } })
    const { rows } = await query(h.connection, 'SELECT nonce, wire FROM events WHERE space_id = $1 ORDER BY position', [
      path.split('/').at(-1),
    ])
    const lines = text.split('\n').filter((line) => line.startsWith('{"nonce"'))
    expect(lines).toEqual(rows.map(({ nonce, wire }) => `{"nonce":"${nonce.toString('hex')}","entry":${wire}}`))
    expect(new Set(rows.map(({ nonce }) => nonce.toString('hex'))).size).toBe(300)
    await write(path, 301)
    await sealed(h.as(ada), log, 601)
    readLog(await exported(log), key, checkpoint)
    for (const after of [1, 255, 256, 257, 300, 512, 600, 601]) {
      expect(readLog(await exported(log, after), key)).toMatchObject({ after })
    }
    await h.as(ada).get(`${log}/export?after=602`).expect(409)
    for (const id of [ids[0], ids[255], ids[299]]) {
      const receipt = await h.as(ada).get(`${log}/proof?event_id=${id}`).expect(200)
      expect(readReceipt(JSON.stringify(receipt), key).entries[0]?.value).toMatchObject({ event_id: id })
    }
  })
})

describe('the receipt of a decision', () => {
  it('proves the proposer, the approvals and the rules', async () => {
    const path = await h.openSpace(ada)
    await h
      .as(ada)
      .put(`${path}/policy`, { settle: { who: 'anyone', approvals: 1 } })
      .expect(200)
    const { decision_id } = await h
      .as(scout)
      .post(`${path}/decisions`, { proposed_by: 'Scout', text: 'Go' })
      .expect(200)
    const grace = await h.registerHuman('Grace')
    await h.as(grace).post(`${path}/decisions/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await h.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settlement).expect(200)
    await sealed(h.as(ada), `${path}/log`, 4, 'decisions')
    const receipt = await h.as(ada).get(`${path}/log/proof?decision_id=${decision_id}`).expect(200)
    const { entries, subjectId } = readReceipt(JSON.stringify(receipt), key)
    expect(subjectId).toBe(decision_id)
    expect(entries.map(({ value }) => value)).toMatchObject([
      { kind: 'proposed', actor_id: scout.actor_id, sponsor_id: ada.actor_id, rules: { approvals: 1 } },
      { kind: 'reviewed', actor_id: grace.actor_id, actor_type: 'human', verdict: 'approve' },
      { kind: 'settled', approvals: { given: 1, by: [grace.actor_id] } },
    ])
    await h.as(ada).get(`${path}/log/proof`).expect(400, 'event_id: give one of event_id, decision_id')
    await h.as(ada).get(`${path}/log/proof?event_id=nothing`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/log/proof?decision_id=nothing`).expect(404, 'Decision not found')
  })
})

describe('a checkpoint without a server key', () => {
  const keyless = useServer({ SERVER_KEY: '' })

  it('is refused with the name of the missing setting', async () => {
    const human = await keyless.registerHuman()
    const path = await keyless.openSpace(human)
    for (const place of [`${path}/log/checkpoint`, '/log/keys'])
      await keyless
        .as(human)
        .get(place)
        .expect(409, 'Checkpoints need a server key: the operator has to set SERVER_KEY')
  })
})
