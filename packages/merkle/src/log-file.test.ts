import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BadLog } from './bad-log.js'
import { checkpointText, originOf, parseCheckpoint } from './checkpoint.js'
import { Frontier } from './frontier.js'
import { leafHash } from './hash.js'
import { endLine, headerLine, redactedLine, tailLine, tileLine } from './log-file.js'
import { LogReader } from './log-reader.js'
import { isKey, openNote, Signer } from './note.js'
import { inclusionRanges, rangeHash, subtreesOf } from './proof.js'
import { makeReceipt, type ProvenEntry, readReceipt } from './receipt.js'
import { seal } from './seal.js'
import { markOf, TILE, TILE_HEIGHT } from './tile.js'

const signer = new Signer(Buffer.alloc(32, 7))
const other = new Signer(Buffer.alloc(32, 8))

/** The number of random changes to try; a run with a million has passed. */
// biome-ignore lint/style/noProcessEnv: the environment sets the thoroughness
const CHANGES = Number(process.env.LOG_CHANGES ?? 2_000)

const ORIGIN = originOf({ tenantId: 'tenant', spaceId: 'plans', tree: 'events', epoch: 1 })
const NONCE = 'a1'.repeat(16)
const lineOf = (position: number) =>
  `{"nonce":"${NONCE}","entry":{"event_id":"e${position}","space_id":"plans","text":"Grüße ${position}"}}`
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => lineOf(at + 1))

const LEFT = `{"nonce":"","entry":{"speaker_id":"usr_ada","speaker_name":"Ada","speaker_type":"human","text":"[redacted]","references":[],"metadata":null,"posted_by":"usr_ada","posted_by_name":"Ada","redacted_at":"then"}}`

interface LogOptions {
  readonly after?: number
  readonly redacted?: readonly number[]
  /** The line of a redacted entry. */
  readonly left?: string
  readonly by?: Signer
  /** Changes the entries after they are sealed. */
  readonly change?: (entries: string[]) => string[]
}

/** Returns an exported log as a server writes it. */
function logOf(
  entries: readonly string[],
  { after = 0, redacted = [], left = LEFT, by = signer, change = (all) => all }: LogOptions = {},
) {
  const leaves = entries.map((entry) => leafHash(Buffer.from(entry)))
  const frontier = new Frontier()
  const before = new Frontier()
  const tiles: Buffer[] = []
  for (const leaf of leaves)
    frontier.append(leaf, (height, _, hash) => {
      if (height === TILE_HEIGHT) tiles.push(hash)
    })
  for (const leaf of leaves.slice(0, after)) before.append(leaf)
  const marksOf = (first: number) => Buffer.concat(leaves.slice(first, first + TILE).map(markOf))
  const checkpoint = by.sign(checkpointText({ origin: ORIGIN, size: leaves.length, root: frontier.root }))
  const shown = before.hashes.map((hash) => hash.toString('base64'))
  let text = headerLine({ after, frontier: shown, checkpoint, key: by.key })
  const stored = change([...entries])
  for (let at = after; at < Math.max(stored.length, leaves.length); at++) {
    const leaf_hash = leaves[at]?.toString('base64') ?? ''
    const isRedacted = stored[at] !== undefined && redacted.includes(at + 1)
    if (isRedacted) text += redactedLine({ leaf_hash, erasure_id: 'an erasure', erased_at: 'then' })
    if (stored[at] !== undefined) text += `${isRedacted ? left : stored[at]}\n`
    const isTileEnd = (at + 1) % TILE === 0 && at < leaves.length
    if (isTileEnd) text += tileLine((at + 1) / TILE - 1, tiles[(at + 1) / TILE - 1] as Buffer, marksOf(at + 1 - TILE))
  }
  if (leaves.length % TILE !== 0) text += tailLine(marksOf(leaves.length - (leaves.length % TILE)))
  return text + endLine(seal(by, createHash('sha256').update(text).digest()))
}

function read(text: string | Buffer, since?: string, pieces = 7_919) {
  const reader = new LogReader({ key: signer.key, since: (since && parseCheckpoint(since)) || undefined })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieces) reader.push(bytes.subarray(at, at + pieces))
  return reader.end()
}

function problemOf(text: string | Buffer, since?: string): BadLog {
  try {
    read(text, since)
  } catch (error) {
    if (error instanceof BadLog) return error
    throw error
  }
  throw new Error('nothing is wrong with it')
}

describe('a verifier key', () => {
  it('has the form of signed notes, and opens only notes that it has signed', () => {
    expect(isKey(signer.key)).toBe(true)
    expect(isKey(signer.key.replace('+', '-'))).toBe(false)
    expect(openNote(signer.sign('Hello\n'), signer.key)).toBe('Hello\n')
    expect(openNote(signer.sign('Hello\n'), other.key)).toBeNull()
    expect(openNote(signer.sign('Hello\n').replace('Hello', 'Hullo'), signer.key)).toBeNull()
  })
})

describe('an exported log', () => {
  it.each([0, 1, 255, 256, 257, 511, 512, 700])('of %s entries is proved, read in pieces of any size', (count) => {
    const text = logOf(linesOf(count))
    for (const size of [1, 100, 1_000_000]) expect(read(text, undefined, size).checkpoint.size).toBe(count)
  })

  it.each([0, 1, 255, 256, 300, 512, 699, 700])('from position %s is proved', (after) => {
    expect(read(logOf(linesOf(700), { after })).after).toBe(after)
  })

  it('lists redacted entries, and is proved', () => {
    const { redactions, redacted } = read(logOf(linesOf(300), { redacted: [2, 256, 300] }))
    expect(redactions).toBe(3)
    expect(redacted.map(({ position }) => position)).toEqual([2, 256, 300])
  })

  it.each([
    LEFT.replace('[redacted]', 'I agree'),
    LEFT.replace('[]', '["https://example.org"]'),
    LEFT.replace('null', '{"note":"I agree"}'),
    LEFT.replace('null', '{"mentions":["I agree"]}'),
    LEFT.replace(',"redacted_at":"then"', ''),
    LEFT.replace('usr_ada', 'I agree'),
    LEFT.replace('"Ada"', '"I agree"'),
    LEFT.replace('"human"', '"I agree"'),
    LEFT.replace('""', `"${NONCE}"`),
    LEFT.replace('"entry"', '"other"'),
    'I agree',
  ])('is rejected if a redacted entry still has content: %s', (left) => {
    expect(problemOf(logOf(linesOf(300), { redacted: [2], left }))).toMatchObject({ position: 2 })
  })

  const CHANGED: readonly [string, (entries: string[]) => string[], number][] = [
    ['an edited entry', (all) => all.with(4, lineOf(99)), 5],
    ['an edited entry of a later tile', (all) => all.with(299, lineOf(1)), 300],
    ['a deleted entry', (all) => all.toSpliced(9, 1), 10],
    ['swapped entries', (all) => all.with(19, all[20] as string).with(20, all[19] as string), 20],
    ['an inserted entry', (all) => all.toSpliced(29, 0, lineOf(0)), 30],
    ['an entry after the last one', (all) => [...all, lineOf(0)], 701],
    ['missing last entries', (all) => all.slice(0, 650), 651],
    ['no entries', () => [], 1],
  ]
  it.each(CHANGED)('with %s names the first bad position', (_what, change, position) => {
    expect(problemOf(logOf(linesOf(700), { change })).position).toBe(position)
    expect(problemOf(logOf(linesOf(700), { change, redacted: [1, 3] })).position).toBe(position)
  })

  it('is rejected if it is signed with another key', () => {
    expect(problemOf(logOf(linesOf(3), { by: other })).message).toMatch('signed with another key')
  })

  it('must extend an earlier checkpoint', () => {
    const noteOf = (entries: readonly string[]) => JSON.parse(logOf(entries).split('\n')[0] as string).checkpoint
    const earlier = noteOf(linesOf(400))
    expect(read(logOf(linesOf(700)), earlier).checkpoint.size).toBe(700)
    expect(read(logOf(linesOf(400)), earlier).checkpoint.size).toBe(400)
    const rewritten = linesOf(700).with(10, lineOf(0))
    expect(problemOf(logOf(rewritten), earlier).message).toMatch('its first 400 entries are not those')
    expect(problemOf(logOf(linesOf(399)), earlier)).toMatchObject({ position: 400, message: /had 400/ })
    const anew = earlier.replace('events/1\n', 'events/2\n')
    expect(problemOf(logOf(linesOf(700)), anew).message).toMatch('its epoch is 1, and that of the earlier checkpoint 2')
  })

  it("extends a checkpoint from its space's earlier tenant, but not one of another log", () => {
    const earlierOf = (entries: readonly string[], name: string) =>
      JSON.parse(logOf(entries).split('\n')[0] as string).checkpoint.replace(ORIGIN, name)
    const moved = (entries: readonly string[]) => earlierOf(entries, ORIGIN.replace('/tenant/', '/earlier/'))
    expect(read(logOf(linesOf(700)), moved(linesOf(400))).checkpoint).toMatchObject({ origin: ORIGIN, size: 700 })
    const unrelated = moved(linesOf(400).with(10, lineOf(0)))
    expect(problemOf(logOf(linesOf(700)), unrelated).message).toMatch('its first 400 entries are not those')
    for (const [part, other] of [
      ['/plans/', '/other/'],
      ['/events/', '/decisions/'],
      ['/tenant/spaces/plans/events/', '/tenant/audit/'],
    ] as const) {
      const foreign = earlierOf(linesOf(400), ORIGIN.replace(part, other))
      expect(problemOf(logOf(linesOf(700)), foreign).message).toMatch('of another log')
    }
  })

  it.each([
    ['a line', (text: string) => `${text}more\n`],
    ['a text without a line break', (text: string) => `${text}more`],
    ['another field in its last line', (text: string) => text.replace(/}\n$/, ',"note":"all is well"}\n')],
    ['a space in its last line', (text: string) => text.replace(/{"end":/, '{"end": ')],
  ])('is rejected with %s', (_what, change) => {
    expect(() => read(change(logOf(linesOf(3))))).toThrow(BadLog)
  })

  it('is not proved after any single change', () => {
    // Mostly short logs, so that many changes affect the lines between the entries.
    const short = [
      Buffer.from(logOf(linesOf(12), { redacted: [1, 7, 12] })),
      Buffer.from(logOf(linesOf(20), { after: 5, redacted: [9] })),
    ]
    const long = Buffer.from(logOf(linesOf(520), { redacted: [1, 300, 519] }))
    let state = 1
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    for (let tried = 0; tried < CHANGES; tried++) {
      const log = tried % 100 === 0 ? long : (short[tried % short.length] as Buffer)
      const at = random(log.length)
      const changed = changeOf(log, at, random)
      if (changed.equals(log)) continue
      try {
        read(changed, undefined, 1_000_000)
      } catch {
        continue
      }
      throw new Error(`a change at byte ${at} was not found: ${changed.subarray(Math.max(0, at - 40), at + 40)}`)
    }
  })
})

/** Returns the log with a changed bit or byte, a byte less or more, or truncated. */
function changeOf(log: Buffer, at: number, random: (below: number) => number): Buffer {
  const kind = random(10)
  if (kind === 0) return Buffer.concat([log.subarray(0, at), log.subarray(at + 1)])
  if (kind === 1) return Buffer.concat([log.subarray(0, at), Buffer.of(random(256)), log.subarray(at)])
  if (kind === 2) return log.subarray(0, at)
  const changed = Buffer.from(log)
  changed[at] = kind < 7 ? (log[at] as number) ^ (1 << random(8)) : random(256)
  return changed
}

describe('a receipt', () => {
  const leaves = linesOf(300).map((line) => leafHash(Buffer.from(line)))
  const frontier = new Frontier()
  for (const leaf of leaves) frontier.append(leaf)
  const checkpoint = signer.sign(checkpointText({ origin: ORIGIN, size: 300, root: frontier.root }))

  function entryAt(position: number): ProvenEntry {
    const proof = inclusionRanges(position - 1, 300).map((range) => {
      const hashes = subtreesOf(range).map(({ height, index }) => {
        const subtree = new Frontier()
        for (const leaf of leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)) subtree.append(leaf)
        return subtree.root
      })
      return rangeHash(hashes).toString('base64')
    })
    return { position, line: lineOf(position), redacted: null, proof }
  }

  const receipt = makeReceipt(signer, { subject: 'event', subject_id: 'e257', entries: [entryAt(257)], checkpoint })
  const text = `${JSON.stringify(receipt)}\n`

  it('proves an entry, about the subject that it names', () => {
    expect(readReceipt(text, signer.key).entries).toMatchObject([{ position: 257, value: { text: 'Grüße 257' } }])
    const about = makeReceipt(signer, { subject: 'event', subject_id: 'e1', entries: [entryAt(257)], checkpoint })
    expect(() => readReceipt(JSON.stringify(about), signer.key)).toThrow('position 257 is about something else')
    expect(() => readReceipt(text, other.key)).toThrow('signed with another key')
  })

  it('is rejected if a redacted entry still has content', () => {
    const render = (line: string) => {
      const redacted = { leaf_hash: leaves[1]?.toString('base64') ?? '', erasure_id: 'an erasure', erased_at: 'then' }
      const entries = [{ ...entryAt(2), line, redacted }]
      return JSON.stringify(makeReceipt(signer, { subject: 'event', subject_id: 'e2', entries, checkpoint }))
    }
    const left = LEFT.replace('{"speaker_id"', '{"event_id":"e2","space_id":"plans","speaker_id"')
    expect(readReceipt(render(left), signer.key).entries).toMatchObject([{ position: 2 }])
    expect(() => readReceipt(render(left.replace('[redacted]', 'I agree')), signer.key)).toThrow('still says something')
  })

  it('is not proved after any single change', () => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] as number) ^ (1 << (at % 7))
      expect(() => readReceipt(changed.toString(), signer.key), String(at)).toThrow()
    }
  })
})
