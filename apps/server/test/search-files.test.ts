import { CHUNK_BYTES, DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, type Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'

const h = useServer()

const operate = operatorOf(h)

let ada: Actor
let client: Client
let path: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  client = h.as(ada)
  path = await h.openSpace(ada)
})

/** Resolves when the search finds files. */
const indexed = (fileIds: readonly string[]) =>
  eventually(async () => {
    const { rows } = await query(h.connection, 'SELECT FROM files WHERE file_id = ANY ($1) AND position IS NOT NULL', [
      fileIds,
    ])
    return rows.length === fileIds.length
  })

const upload = async (name: string, content: string | Uint8Array, space = path): Promise<string> => {
  const { file_id } = await client.post(`${space}/files?name=${encodeURIComponent(name)}`, content).expect(200)
  return file_id
}

/** Posts an event with files, and waits until the search finds them. */
async function attach(files: Readonly<Record<string, string | Uint8Array>>, text = 'Look', space = path) {
  const file_ids: string[] = []
  for (const [name, content] of Object.entries(files)) file_ids.push(await upload(name, content, space))
  const event = await client.post(`${space}/speech`, { text, file_ids }).expect(200)
  await indexed(file_ids)
  return { event, file_ids }
}

const found = (q: string, more: Record<string, string> = {}, as = client) =>
  as.get(`/api/search?${new URLSearchParams({ q, space_id: spaceIdOf(path), ...more })}`).expect(200)

describe('a search', () => {
  it('finds files by their names and their texts, and returns which file matched', async () => {
    const { event, file_ids } = await attach({
      'first.txt': 'Nothing here',
      'Budget_v2.csv': 'item;price\nzeppelin ropes;12\n',
    })
    const [match, ...others] = await found('zeppelins')
    expect(others).toEqual([])
    const matched_file = { file_id: file_ids[1], name: 'Budget_v2.csv', snippet: 'item;price\n«zeppelin» ropes' }
    expect(match).toEqual({ ...event, rank: expect.any(Number), snippet: 'Look', matched_file })
    expect(match.rank).toBeGreaterThan(0)
    const [named] = await found('budget v2')
    expect(named.matched_file).toEqual({ ...matched_file, snippet: null })
    expect(await found('"zeppelin ropes"', { sort: 'relevance' })).toHaveLength(1)
    expect(await found('"ropes zeppelin"')).toEqual([])
    expect(await found('zeppelin -ropes')).toEqual([])
    expect(await found('zeppelin or nonsense')).toHaveLength(1)
  })

  it('returns an event once, by its own text before its files', async () => {
    await attach({ 'a.txt': 'gondola', 'b.txt': 'gondola', 'c.txt': 'a gondola' }, 'Two gondolas')
    const [match, ...others] = await found('gondola')
    expect(others).toEqual([])
    expect(match.snippet).toBe('Two «gondolas»')
    expect(match).not.toHaveProperty('matched_file')
    const { file_ids } = await attach({ 'a.txt': 'felucca', 'b.txt': 'felucca' })
    const files = (await found('felucca')).map(
      ({ matched_file }: { matched_file: { file_id: string } }) => matched_file,
    )
    expect(files).toHaveLength(1)
    expect(file_ids).toContain(files[0].file_id)
  })

  it.each([
    ['Résumé de la croisière', 'croisiere', 'Résumé de la «croisière»'],
    ['四国遍路の地図', '遍路', '四国«遍路»の地図'],
    ['四国遍路の地図です', '国遍路の', '四«国遍路の»地図です'],
    ['Ｋａｙａｋｓ　here', 'kayak', '«Ｋａｙａｋｓ»　here'],
    ['\ufeffCatamaran first', 'catamaran', '«Catamaran» first'],
  ])('matches the file text %j with the query %j', async (text, q, snippet) => {
    await attach({ 'text.txt': text })
    const [match] = await found(q)
    expect(match.matched_file.snippet.replace('\ufeff', '')).toBe(snippet)
  })

  it('finds words anywhere in a text of 1 MiB, and returns a snippet', async () => {
    const line = 'The quick brown fox jumps over the lazy dog. '
    const text = line.repeat((1024 * 1024) / line.length - 1)
    const at = Math.floor(text.length * 0.9)
    await attach({ 'long.log': `${text.slice(0, at)} narwhal ${text.slice(at)}` })
    const [match] = await found('narwhals')
    expect(match.matched_file.snippet).toContain('«narwhal»')
  })

  it('finds the first words of a text with more distinct words than the index holds', async () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `w${(at * 7919).toString(36)}`)
    const { file_ids } = await attach({ 'many.txt': `porpoise ${words.join(' ')}` })
    expect((await found('porpoise')).at(0).matched_file.file_id).toBe(file_ids[0])
  })

  it.each([
    ['a larger text', 'larger.txt', `marlin ${'x'.repeat(1024 * 1024)}`],
    ['bytes that are no UTF-8', 'latin.txt', Buffer.from('marlin \xe9', 'latin1')],
    ['bytes with NUL', 'binary.dat', 'marlin \0'],
    ['an image', 'image.gif', 'GIF89a marlin'],
  ])('finds %s by its name only', async (_, name, content) => {
    await attach({ [`marlin-${name}`]: content })
    const [match] = await found(`marlin ${name}`)
    expect(match.matched_file).toMatchObject({ name: `marlin-${name}`, snippet: null })
  })

  it('applies operators to files', async () => {
    const grace = await h.registerHuman('Grace')
    await attach({ 'a.txt': 'schooner' })
    expect(await found('schooner has:file')).toHaveLength(1)
    expect(await found('schooner from:ada')).toHaveLength(1)
    expect(await found(`schooner from:${grace.actor_id}`)).toEqual([])
    expect(await found('schooner is:thread')).toEqual([])
    expect(await found('schooner before:2020')).toEqual([])
    expect(await found('schooner after:2020')).toHaveLength(1)
  })

  it('returns newer files first, also beside files found through the index', async () => {
    const space = await h.openSpace(ada)
    const first = await attach({ 'old.txt': 'trireme' }, 'First', space)
    const speaker = { speaker_id: ada.actor_id, speaker_name: 'Ada', speaker_type: 'human' }
    for (let round = 0; round < 4; round++) {
      const events = Array.from({ length: 100 }, (_, at) => ({ ...speaker, text: `Row ${round} ${at}` }))
      await client.post(`${space}/events/batch`, { events }).expect(200)
    }
    const last = await attach({ 'new.txt': 'trireme' }, 'Last', space)
    const ids = (await found('trireme', { space_id: spaceIdOf(space) })).map(
      ({ event_id }: { event_id: string }) => event_id,
    )
    expect(ids).toEqual([last.event.event_id, first.event.event_id])
  })
})

describe('a file', () => {
  it('is found only after an event names it, and only by readers of its space', async () => {
    const { services } = await startStack(h.connection)
    await upload('draft.txt', 'unattached xebec')
    await services.fileIndexer.index()
    expect(await found('xebec')).toEqual([])
    const stranger = h.as(await h.registerHuman('Eve'))
    const hidden = await h.openSpace(ada)
    await attach({ 'a.txt': 'xebec' }, 'Look', hidden)
    expect(await found('xebec', { space_id: spaceIdOf(hidden) })).toHaveLength(1)
    const joined = await stranger.get('/api/search?q=xebec').expect(200)
    expect(joined).toEqual([])
  })

  it('stays found after a correction of its event, and not after a retraction', async () => {
    const { event } = await attach({ 'a.txt': 'dinghy' })
    await client.post(`${path}/speech`, { text: 'Look here', corrects: event.event_id }).expect(200)
    const [match] = await found('dinghy')
    expect(match).toMatchObject({
      event_id: event.event_id,
      current_text: 'Look here',
      snippet: 'Look here',
      matched_file: { name: 'a.txt' },
    })
    const file_ids = [await upload('b.txt', 'lugger')]
    await client.post(`${path}/speech`, { text: 'Look there', corrects: event.event_id, file_ids }).expect(200)
    await indexed(file_ids)
    await client.post(`${path}/speech`, { text: 'Look again', corrects: event.event_id }).expect(200)
    expect((await found('lugger'))[0]).toMatchObject({ current_text: 'Look again', snippet: 'Look again' })
    await client.post(`${path}/speech`, { text: 'Never mind', retracts: event.event_id }).expect(200)
    for (const q of ['dinghy', 'lugger']) expect(await found(q), q).toEqual([])
  })

  const stored = async (fileId: string) => {
    const { rows } = await query(h.connection, 'SELECT passages, terms FROM files WHERE file_id = $1', [fileId])
    return rows[0]
  }

  it('leaves no indexed text when it is deleted or its event is redacted', async () => {
    const { file_ids } = await attach({ 'a.txt': 'pinnace' })
    await client.delete(`${path}/files/${file_ids[0]}`).expect(200)
    expect(await found('pinnace')).toEqual([])
    expect(await stored(file_ids[0] as string)).toEqual({ passages: null, terms: null })
    const second = await attach({ 'pinnace.txt': 'pinnace' })
    expect(await found('pinnace')).toHaveLength(1)
    const { event_id } = second.event
    await operate('event', 'redact', DEFAULT_TENANT, spaceIdOf(path), event_id, '--by', 'Ada', '--yes')
    expect(await found('pinnace')).toEqual([])
    expect(await stored(second.file_ids[0] as string)).toEqual({ passages: null, terms: null })
    const { services } = await startStack(h.connection)
    await services.fileIndexer.index()
    expect(await stored(second.file_ids[0] as string)).toEqual({ passages: null, terms: null })
  })

  it('is found by its name when its bytes are damaged', async () => {
    const id = await upload('coracle.txt', 'x'.repeat(CHUNK_BYTES + 1))
    await query(
      h.connection,
      `DELETE FROM file_chunks WHERE index = 1 AND content_id = (SELECT content_id FROM files WHERE file_id = $1)`,
      [id],
    )
    await client.post(`${path}/speech`, { text: 'Look', file_ids: [id] }).expect(200)
    await indexed([id])
    expect((await found('coracle'))[0].matched_file).toMatchObject({ name: 'coracle.txt', snippet: null })
  })

  it('is indexed later if the server that appended its event did not index it', async () => {
    const { file_ids } = await attach({ 'a.txt': 'skipjack' })
    const [id] = file_ids as [string]
    await query(h.connection, 'UPDATE files SET position = NULL, passages = NULL, terms = NULL WHERE file_id = $1', [
      id,
    ])
    expect(await found('skipjack')).toEqual([])
    const { services } = await startStack(h.connection)
    await services.fileIndexer.index()
    expect(await found('skipjack')).toHaveLength(1)
  })
})
