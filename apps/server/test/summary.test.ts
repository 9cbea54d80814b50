import { citedIds, EXTRACTIVE_MODEL } from '@collab-spaces/summarizer'
import { type Actor, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { UUID_V7 } from './support/form.js'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

const h = useServer()

const FUTURE = 'end=2100-01-01'
const HOUR_MS = 3_600_000

const keptIn = async (path: string): Promise<number> => {
  const text = 'SELECT count(*)::int AS count FROM summaries WHERE space_id = $1'
  return (await query(h.connection, text, [spaceIdOf(path)])).rows[0].count
}

const say = (actor: Actor, path: string, text: string) => h.as(actor).post(`${path}/speech`, { text }).expect(200)
const summary = (actor: Actor, path: string, query = FUTURE) => h.as(actor).get(`${path}/summary?${query}`).expect(200)

/** Creates a space that began three hours ago, with an event every ten minutes. */
async function oldSpace() {
  const { ada, path } = await h.adasSpace()
  await fillSpace(h.connection, path, ada, { count: 18, text: (n) => `Point ${n} matters.`, every: 600 })
  return { ada, path, events: await h.as(ada).get(`${path}/events`).expect(200) }
}

describe('GET /api/spaces/{space_id}/summary', () => {
  it('summarizes a window in Markdown, and names the model', async () => {
    const { ada, path } = await h.adasSpace()
    const event = await say(ada, path, 'The release is on Friday, as the tests are green.')
    const { started_at } = await h.as(ada).get(`${path}/status`).expect(200)
    const made = await summary(ada, path)
    expect(made).toEqual({
      summary_id: expect.stringMatching(UUID_V7),
      space_id: spaceIdOf(path),
      window_start: started_at,
      window_end: '2100-01-01T00:00:00.000Z',
      summary_text: expect.stringContaining('The release is on Friday'),
      event_count: 1,
      model: EXTRACTIVE_MODEL,
      created_at: expect.any(String),
    })
    expect(made.model).toMatch(/^extractive-/)
    expect(citedIds(made.summary_text)).toContain(event.event_id)
  })

  it('cites only events in the window', async () => {
    const { ada, path, events } = await oldSpace()
    const [start, end] = [events[3].timestamp, events[9].timestamp]
    const made = await summary(ada, path, `start=${start}&end=${end}`)
    expect(made).toMatchObject({ window_start: start, window_end: end, event_count: 7 })
    const inside = new Set(events.slice(3, 10).map(({ event_id }: { event_id: string }) => event_id))
    const cited = citedIds(made.summary_text)
    expect(cited.length).toBeGreaterThan(0)
    for (const id of cited) expect(inside).toContain(id)
  })

  it('ends the window an hour ago by default', async () => {
    const { ada, path } = await oldSpace()
    const before = Date.now() - HOUR_MS
    const made = await summary(ada, path, '')
    expect(Date.parse(made.window_end)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(made.window_end)).toBeLessThanOrEqual(Date.now() - HOUR_MS)
    // Of an event every ten minutes up to just now, 18 in all, those of the last hour are left out.
    expect(made.event_count).toBe(12)
  })

  it('returns 400 for a start after the end and invalid parameters, and 404 for an unknown space', async () => {
    const { ada, path } = await h.adasSpace()
    const refused = (query: string, detail: RegExp) => h.as(ada).get(`${path}/summary?${query}`).expect(400, detail)
    await refused('start=2026-01-02&end=2026-01-01', /^start: /)
    await refused('start=then', /^start: /)
    await refused('end=1969-01-01', /^end: /)
    await refused('regenerate=maybe', /^regenerate: /)
    await refused('language=fr', /^language: must be one of en, de, ar$/)
    await h.as(ada).get('/api/spaces/nowhere/summary').expect(404, 'Space not found')
  })

  it('says that nothing happened when the window is empty', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'Just now')
    const asked = Date.now()
    const empty = await summary(ada, path, '')
    expect(empty).toMatchObject({ event_count: 0, model: EXTRACTIVE_MODEL })
    expect(empty.summary_text).toMatch(/nothing happened/i)
    // The space is younger than the default end, which is an hour ago all the same.
    expect(empty.window_start).toBe(empty.window_end)
    expect(Date.parse(empty.window_end)).toBeGreaterThanOrEqual(asked - HOUR_MS)
    expect(Date.parse(empty.window_end)).toBeLessThanOrEqual(Date.now() - HOUR_MS)
    // A start after the default end is an empty window, not a mistake.
    const late = await summary(ada, path, 'start=2099-01-01')
    expect(late).toMatchObject({ event_count: 0, window_end: '2099-01-01T00:00:00.000Z' })
    const early = await summary(ada, path, 'end=1999-01-01')
    expect(early).toMatchObject({ event_count: 0, window_start: '1999-01-01T00:00:00.000Z' })
  })
})

describe('a stored summary', () => {
  it('is reused for the same window, and for another window over the same events', async () => {
    const { ada, path } = await oldSpace()
    const first = await summary(ada, path, '')
    const again = await summary(ada, path, '')
    expect(again).toEqual({ ...first, window_end: again.window_end })
    const moved = await summary(ada, path, `start=1970-01-01&end=${first.window_end}`)
    expect(moved).toEqual({ ...first, window_start: '1970-01-01T00:00:00.000Z' })
  })

  it('is not reused once the window has another event', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'One.')
    const first = await summary(ada, path)
    await say(ada, path, 'Two.')
    const second = await summary(ada, path)
    expect(second.summary_id).not.toBe(first.summary_id)
    expect(second.event_count).toBe(2)
  })

  it('is not reused once a decision is proposed or settled in the window', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'One.')
    const ids = [(await summary(ada, path)).summary_id]
    const { decision_id } = await h
      .as(ada)
      .post(`${path}/decisions`, { proposed_by: ada.actor_id, text: 'Ship on Friday' })
      .expect(200)
    const proposed = await summary(ada, path)
    expect(proposed.summary_text).toContain('Ship on Friday')
    expect(citedIds(proposed.summary_text)).toContain(decision_id)
    ids.push(proposed.summary_id)
    const body = { resolved_by: ada.actor_id, resolution: 'All agreed', status: 'resolved' }
    await h.as(ada).put(`${path}/decisions/${decision_id}/resolve`, body).expect(200)
    const settled = await summary(ada, path)
    expect(settled.summary_text).toContain('All agreed')
    ids.push(settled.summary_id)
    expect(new Set(ids).size).toBe(3)
    expect((await summary(ada, path)).summary_id).toBe(settled.summary_id)
  })

  it('lists 20 of many decisions, and counts the rest', async () => {
    const { ada, path } = await h.adasSpace()
    const propose = (text: string) => h.as(ada).post(`${path}/decisions`, { proposed_by: 'Ada', text }).expect(200)
    for (let n = 1; n <= 95; n++) await propose(`Plan ${n}.`)
    const made = await summary(ada, path)
    const shown = made.summary_text.match(/Plan \d+\./g)
    expect(shown).toEqual(Array.from({ length: 20 }, (_, n) => `Plan ${n + 1}.`))
    expect(made.summary_text).toContain('- and 75 more')
    await propose('Another one.')
    expect((await summary(ada, path)).summary_text).toContain('- and 76 more')
  })

  it('is replaced with regenerate=true', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'One.')
    const first = await summary(ada, path)
    for (const no of ['false', '0', 'FALSE']) {
      expect((await summary(ada, path, `${FUTURE}&regenerate=${no}`)).summary_id).toBe(first.summary_id)
    }
    const second = await summary(ada, path, `${FUTURE}&regenerate=true`)
    expect(second.summary_id).not.toBe(first.summary_id)
    expect(second.summary_text).toBe(first.summary_text)
    expect((await summary(ada, path)).summary_id).toBe(second.summary_id)
    expect(await keptIn(path)).toBe(1)
  })

  it('is stored once per language', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'The release is on Friday, as the tests are green.')
    const english = await summary(ada, path)
    const german = await summary(ada, path, `${FUTURE}&language=de`)
    expect(english.summary_text).toMatch(/^1 event by 1 participant, .*\n\n## Main points\n/)
    expect(german.summary_text).toMatch(/^1 Nachricht von 1 Teilnehmer, .*\n\n## Wichtigste Punkte\n/)
    expect(citedIds(german.summary_text)).toEqual(citedIds(english.summary_text))
    expect(await summary(ada, path, `${FUTURE}&language=en`)).toEqual(english)
    expect(await summary(ada, path, `${FUTURE}&language=de`)).toEqual(german)
    expect(await keptIn(path)).toBe(2)
  })

  it('is deleted when its space has a hundred newer ones', async () => {
    const { ada, path } = await h.adasSpace()
    await say(ada, path, 'One.')
    const { summary_id } = await summary(ada, path)
    for (let n = 1; n <= 100; n++) {
      await h
        .as(ada)
        .post(`${path}/decisions`, { text: `Plan ${n}`, proposed_by: 'Ada' })
        .expect(200)
      await summary(ada, path)
    }
    expect(await keptIn(path)).toBe(100)
    const { rows } = await query(h.connection, 'SELECT FROM summaries WHERE summary_id = $1', [summary_id])
    expect(rows).toEqual([])
  })

  it('is generated once for concurrent callers', async () => {
    const { ada, path } = await oldSpace()
    const made = await Promise.all(Array.from({ length: 6 }, () => summary(ada, path)))
    expect(new Set(made.map(({ summary_id }) => summary_id)).size).toBe(1)
  })

  it('is not shared between spaces', async () => {
    const { ada, path } = await h.adasSpace()
    const other = await h.openSpace(ada)
    const ids = [(await summary(ada, path)).summary_id, (await summary(ada, other)).summary_id]
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(NOTHING)
  })
})
