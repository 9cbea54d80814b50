import { type Actor, NOTHING, query } from '@collab-spaces/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { TIMESTAMP, UUID_V7 } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

async function begin() {
  const { ada, path: space, space_id } = await h.adasSpace()
  return { ada, space, space_id, path: `${space}/decisions` }
}

const propose = (actor: Actor, path: string, text = 'Ship on Friday') =>
  h.as(actor).post(path, { proposed_by: actor.actor_id, text }).expect(200)

const settlement = (actor: Actor, status: 'resolved' | 'rejected' = 'resolved') => ({
  resolved_by: actor.actor_id,
  resolution: 'All agreed',
  status,
})

describe('the timestamps of decisions', () => {
  it('increase within a space even when the clocks of servers and database go back', async () => {
    const { ada, path, space_id } = await begin()
    const made: { decision_id: string; created_at: string }[] = []
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const now = Date.now()
    for (const ahead of [0, 3_600_000, -3_600_000, 0, 0]) {
      vi.setSystemTime(now + ahead)
      made.push(await propose(ada, path))
    }
    // Simulates a database whose clock was ahead.
    await query(
      h.connection,
      `UPDATE decision_acts SET wire = replace(wire, $1, '2100-01-01T00:00:00.000Z') WHERE space_id = $2 AND position = 5`,
      [made[4]?.created_at as string, space_id],
    )
    await query(h.connection, `UPDATE decisions SET created_at = '2100-01-01' WHERE decision_id = $1`, [
      made[4]?.decision_id as string,
    ])
    made.push(await propose(ada, path))
    const listed: typeof made = await h.as(ada).get(path).expect(200)
    expect(listed.map(({ decision_id }) => decision_id)).toEqual(made.map(({ decision_id }) => decision_id))
    const times = listed.map(({ created_at }) => created_at)
    expect(times).toEqual([...new Set(times)].sort())
    expect(times.at(-1)).toBe('2100-01-01T00:00:00.001Z')
    const last = `${path}/${made[5]?.decision_id}`
    const { resolved_at } = await h.as(ada).put(`${last}/resolve`, settlement(ada)).expect(200)
    expect(resolved_at).toBe('2100-01-01T00:00:00.002Z')
    expect(await h.as(ada).get(`${last}/acts`).expect(200)).toMatchObject([
      { created_at: times.at(-1) },
      { created_at: resolved_at },
    ])
  })
})

describe('POST /api/spaces/{space_id}/decisions', () => {
  it('returns the proposed decision', async () => {
    const { ada, path, space_id } = await begin()
    const decision = await propose(ada, path)
    expect(decision).toEqual({
      decision_id: expect.stringMatching(UUID_V7),
      space_id,
      proposed_by: ada.actor_id,
      text: 'Ship on Friday',
      status: 'proposed',
      resolved_by: null,
      resolved_at: null,
      resolution: null,
      created_at: expect.stringMatching(TIMESTAMP),
      posted_by: ada.actor_id,
      settled_by: null,
      assignees: [],
      supersedes: null,
      superseded_by: null,
      review_at: null,
      thread_id: null,
      approvals: { required: 0, given: 0, by: [], not_counted: [] },
      rules_at_proposal: { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true },
    })
  })

  it('accepts any proposed_by, and records the real proposer in posted_by', async () => {
    const { ada, path } = await begin()
    const scout = await h.registerAgent(ada)
    const decision = await h.as(scout).post(path, { proposed_by: 'the board', text: 'Move' }).expect(200)
    expect(decision).toMatchObject({ proposed_by: 'the board', posted_by: scout.actor_id })
  })

  it.each([
    [{ text: 'x' }, /^proposed_by: is required/],
    [{ proposed_by: 'x' }, /^text: is required/],
    [{ proposed_by: '', text: 'x' }, /^proposed_by: must not be empty/],
    [{ proposed_by: 'x'.repeat(201), text: 'x' }, /^proposed_by: /],
    [{ proposed_by: 'x', text: '' }, /^text: must not be empty/],
    [{ proposed_by: 'x', text: 'x'.repeat(100_001) }, /^text: /],
    [{ proposed_by: 7, text: 'x' }, /^proposed_by: must be a string/],
    [{ proposed_by: 'x', text: '\0' }, /^text: /],
  ])('returns 400 naming the invalid field: %#', async (body, detail) => {
    const { ada, path } = await begin()
    await h.as(ada).post(path, body).expect(400, detail)
  })

  it.each(['paused', 'archived'])('returns 409 when the space is %s', async (status) => {
    const { ada, path, space } = await begin()
    await h.as(ada).patch(space, { status }).expect(200)
    await h.as(ada).post(path, { proposed_by: 'x', text: 'x' }).expect(409, 'Space is not active')
  })
})

describe('the Idempotency-Key of a proposal', () => {
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  const body = { proposed_by: 'x', text: 'Once' }

  it('returns the first decision for the same request', async () => {
    const { ada, path } = await begin()
    const first = await h.as(ada).post(path, body, keyed('k')).expect(200)
    expect(await h.as(ada).post(path, body, keyed('k')).expect(200)).toEqual(first)
    expect(await h.as(ada).get(path).expect(200)).toHaveLength(1)
  })

  it('creates one decision from concurrent requests', async () => {
    const { ada, path } = await begin()
    const answers = await Promise.all(Array.from({ length: 8 }, () => h.as(ada).post(path, body, keyed('k'))))
    expect(new Set(answers.map((answer) => answer.expect(200).decision_id)).size).toBe(1)
    expect(await h.as(ada).get(path).expect(200)).toHaveLength(1)
  })

  it('returns 409 for a different request', async () => {
    const { ada, path } = await begin()
    await h.as(ada).post(path, body, keyed('k')).expect(200)
    await h
      .as(ada)
      .post(path, { ...body, text: 'Twice' }, keyed('k'))
      .expect(409, /Idempotency-Key/)
  })

  it('returns the first result after a pause, and after the decision is settled', async () => {
    const { ada, path, space } = await begin()
    const first = await h.as(ada).post(path, body, keyed('k')).expect(200)
    await h.as(ada).put(`${path}/${first.decision_id}/resolve`, settlement(ada)).expect(200)
    expect(await h.as(ada).post(path, body, keyed('k')).expect(200)).toEqual(first)
    await h.as(ada).patch(space, { status: 'paused' }).expect(200)
    expect(await h.as(ada).post(path, body, keyed('k')).expect(200)).toEqual(first)
  })

  it('belongs to one actor in one space', async () => {
    const { ada, path } = await begin()
    const bob = await h.registerHuman('Bob')
    const elsewhere = `${await h.openSpace(ada)}/decisions`
    const ids = [
      (await h.as(ada).post(path, body, keyed('k')).expect(200)).decision_id,
      (await h.as(bob).post(path, body, keyed('k')).expect(200)).decision_id,
      (await h.as(ada).post(elsewhere, body, keyed('k')).expect(200)).decision_id,
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it('stays unused after a rejected proposal', async () => {
    const { ada, path, space } = await begin()
    await h.as(ada).patch(space, { status: 'paused' }).expect(200)
    await h.as(ada).post(path, body, keyed('k')).expect(409, 'Space is not active')
    await h.as(ada).patch(space, { status: 'active' }).expect(200)
    await h
      .as(ada)
      .post(path, { ...body, text: 'Another' }, keyed('k'))
      .expect(200)
  })

  it.each(['', 'x'.repeat(256)])('returns 400 when its length is invalid', async (key) => {
    const { ada, path } = await begin()
    await h
      .as(ada)
      .post(path, body, keyed(key))
      .expect(400, /^Idempotency-Key|^idempotency_key/)
  })
})

describe('GET /api/spaces/{space_id}/decisions', () => {
  it('lists decisions in the order of proposal, all or by status', async () => {
    const { ada, path } = await begin()
    expect(await h.as(ada).get(path).expect(200)).toEqual([])
    const proposed = []
    for (const text of ['one', 'two', 'three']) proposed.push(await propose(ada, path, text))
    const [one, two, three] = proposed
    const resolved = await h.as(ada).put(`${path}/${two.decision_id}/resolve`, settlement(ada)).expect(200)
    const rejected = await h.as(ada).put(`${path}/${one.decision_id}/resolve`, settlement(ada, 'rejected')).expect(200)

    expect(await h.as(ada).get(path).expect(200)).toEqual([rejected, resolved, three])
    expect(await h.as(ada).get(`${path}?status=proposed`).expect(200)).toEqual([three])
    expect(await h.as(ada).get(`${path}?status=resolved`).expect(200)).toEqual([resolved])
    expect(await h.as(ada).get(`${path}?status=rejected`).expect(200)).toEqual([rejected])
  })

  it('returns 400 for an unknown status, 404 for an unknown space', async () => {
    const { ada, path } = await begin()
    await h
      .as(ada)
      .get(`${path}?status=settled`)
      .expect(400, /^status: must be one of/)
    await h.as(ada).get('/api/spaces/nowhere/decisions').expect(404, 'Space not found')
  })
})

describe('GET /api/spaces/{space_id}/decisions/summary', () => {
  it('counts decisions by status', async () => {
    const { ada, path } = await begin()
    expect(await h.as(ada).get(`${path}/summary`).expect(200)).toEqual({ proposed: 0, resolved: 0, rejected: 0 })
    const [one, two] = [await propose(ada, path), await propose(ada, path), await propose(ada, path)]
    await h.as(ada).put(`${path}/${one.decision_id}/resolve`, settlement(ada)).expect(200)
    await h.as(ada).put(`${path}/${two.decision_id}/resolve`, settlement(ada, 'rejected')).expect(200)
    expect(await h.as(ada).get(`${path}/summary`).expect(200)).toEqual({ proposed: 1, resolved: 1, rejected: 1 })
  })
})

describe('GET /api/spaces/{space_id}/decisions/{decision_id}', () => {
  it('returns one decision', async () => {
    const { ada, path } = await begin()
    const decision = await propose(ada, path)
    expect(await h.as(ada).get(`${path}/${decision.decision_id}`).expect(200)).toEqual(decision)
  })

  it('returns 404 for an ID that is unknown, malformed or of another space', async () => {
    const { ada, path } = await begin()
    const elsewhere = `${await h.openSpace(ada)}/decisions`
    const { decision_id } = await propose(ada, elsewhere)
    for (const id of [NOTHING, 'nothing', decision_id]) await h.as(ada).get(`${path}/${id}`).expect(404)
  })
})

describe('PUT /api/spaces/{space_id}/decisions/{decision_id}/resolve', () => {
  it.each(['resolved', 'rejected'] as const)('changes a proposed decision to %s', async (status) => {
    const { ada, path } = await begin()
    const decision = await propose(ada, path)
    const settled = await h.as(ada).put(`${path}/${decision.decision_id}/resolve`, settlement(ada, status)).expect(200)
    expect(settled).toEqual({
      ...decision,
      status,
      resolved_by: ada.actor_id,
      resolution: 'All agreed',
      resolved_at: expect.stringMatching(TIMESTAMP),
      settled_by: ada.actor_id,
    })
    expect(await h.as(ada).get(`${path}/${decision.decision_id}`).expect(200)).toEqual(settled)
  })

  it('accepts any resolved_by, and records the real settler in settled_by', async () => {
    const { ada, path } = await begin()
    const { decision_id } = await propose(ada, path)
    const bob = await h.registerHuman('Bob')
    const body = { ...settlement(ada), resolved_by: 'the board' }
    const settled = await h.as(bob).put(`${path}/${decision_id}/resolve`, body).expect(200)
    expect(settled).toMatchObject({ resolved_by: 'the board', settled_by: bob.actor_id, posted_by: ada.actor_id })
  })

  it.each(['resolved', 'rejected'] as const)('returns 409 when it is already %s', async (status) => {
    const { ada, path } = await begin()
    const { decision_id } = await propose(ada, path)
    const settled = await h.as(ada).put(`${path}/${decision_id}/resolve`, settlement(ada, status)).expect(200)
    for (const again of ['resolved', 'rejected'] as const) {
      await h
        .as(ada)
        .put(`${path}/${decision_id}/resolve`, settlement(ada, again))
        .expect(409, `Decision is already ${status}`)
    }
    expect(await h.as(ada).get(`${path}/${decision_id}`).expect(200)).toEqual(settled)
  })

  it('accepts exactly one of several concurrent settlements', async () => {
    const { ada, path } = await begin()
    const bob = await h.registerHuman('Bob')
    for (let round = 0; round < 5; round++) {
      const { decision_id } = await propose(ada, path)
      const answers = await Promise.all(
        [ada, bob, ada, bob].map((actor, index) =>
          h.as(actor).put(`${path}/${decision_id}/resolve`, {
            ...settlement(actor, index < 2 ? 'resolved' : 'rejected'),
            resolution: `by ${index}`,
          }),
        ),
      )
      const [won, ...more] = answers.filter(({ status }) => status === 200)
      expect(more).toEqual([])
      const stored = await h.as(ada).get(`${path}/${decision_id}`).expect(200)
      expect(won?.body).toEqual(stored)
      for (const answer of answers.filter((answer) => answer !== won)) {
        answer.expect(409, `Decision is already ${stored.status}`)
      }
    }
  })

  it.each(['paused', 'archived'])('succeeds in a space that is %s', async (status) => {
    const { ada, path, space } = await begin()
    const { decision_id } = await propose(ada, path)
    await h.as(ada).patch(space, { status }).expect(200)
    await h.as(ada).put(`${path}/${decision_id}/resolve`, settlement(ada)).expect(200)
  })

  it.each([
    ['resolved_by', undefined],
    ['resolution', undefined],
    ['status', undefined],
    ['resolved_by', 'x'.repeat(201)],
    ['resolution', 'x'.repeat(10_001)],
    ['resolution', ''],
    ['status', 'proposed'],
  ])('returns 400 for %s: %#', async (field, value) => {
    const { ada, path } = await begin()
    const { decision_id } = await propose(ada, path)
    const body = { ...settlement(ada), [field]: value }
    await h
      .as(ada)
      .put(`${path}/${decision_id}/resolve`, body)
      .expect(400, new RegExp(`^${field}: `))
  })

  it('returns 404 for an unknown decision and for one of another space', async () => {
    const { ada, path } = await begin()
    const { decision_id } = await propose(ada, `${await h.openSpace(ada)}/decisions`)
    for (const id of [NOTHING, 'nothing', decision_id]) {
      await h.as(ada).put(`${path}/${id}/resolve`, settlement(ada)).expect(404, 'Decision not found')
    }
  })
})
