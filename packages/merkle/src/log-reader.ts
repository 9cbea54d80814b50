import { createHash } from 'node:crypto'
import { BadLog } from './bad-log.js'
import { type Checkpoint, isSameLog, type Origin, parseOrigin, requireCheckpoint } from './checkpoint.js'
import { type EntryValue, sealedEntry } from './entry.js'
import { Frontier } from './frontier.js'
import { leafHash } from './hash.js'
import { endLine, LOG_FORMAT, LOG_VERSION, type LogHeader } from './log-file.js'
import { isContentErased, type RedactionRecord } from './redacted.js'
import { canonical, isSealed } from './seal.js'
import { firstDifference, MARK_BYTES, markOf, TILE, TILE_HEIGHT } from './tile.js'

const LINE_BREAK = 10

/** The maximum number of redacted entries that the result lists. */
const MAX_REDACTED = 1_000

export interface RedactedEntry extends RedactionRecord {
  readonly position: number
}

/** The result of reading a file that proves a log. */
export interface ReadLog {
  readonly checkpoint: Checkpoint
  readonly origin: Origin
  /** The checkpoint as a signed note. */
  readonly note: string
  /** The position before the first entry of the file. */
  readonly after: number
  /** The number of redacted entries, and the first of them. */
  readonly redactions: number
  readonly redacted: readonly RedactedEntry[]
}

export interface ReadLogOptions {
  /** The public key that must have signed the log. */
  readonly key: string
  /** An earlier checkpoint that the log must extend. */
  readonly since?: Checkpoint | undefined
  /** Whether to skip the comparison with the earlier checkpoint if the log is in a later epoch. */
  readonly acceptsNewEpoch?: boolean | undefined
  /** Called with each entry that was not redacted, as it is sealed. It is proved once `end` returns. */
  onEntry?(entry: EntryValue): void
}

interface OpenedHeader extends LogHeader {
  readonly origin: Origin
  readonly signed: Checkpoint
}

/**
 * Verifies an exported log chunk by chunk: no entry was changed, removed, reordered or cut off since it was sealed.
 * Throws a `BadLog` for the first problem.
 */
export class LogReader {
  readonly #digest = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)
  #next: (line: Buffer) => void = (line) => this.#readHeader(line)
  #isOver = false
  #header: OpenedHeader | null = null
  #frontier = new Frontier()
  /** The hash of the last complete tile. */
  #tile: Buffer | null = null
  /** The marks of the current tile, with room for inserted entries. */
  readonly #marks = Buffer.alloc(2 * TILE * MARK_BYTES)
  /** The position before the first entry of the tile, and the number of its entries so far. */
  #tileFirst = 0
  #inTile = 0
  /** The number of entries of the tile that precede the file. */
  #unseen = 0
  #isTileOver = false
  /** Whether the log differs from the earlier checkpoint. */
  #isOther = false
  #redactions = 0
  readonly #redacted: RedactedEntry[] = []
  #since: Checkpoint | undefined

  constructor(private readonly options: ReadLogOptions) {
    this.#since = options.since
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let begin = 0
    for (let end = bytes.indexOf(LINE_BREAK); end !== -1; end = bytes.indexOf(LINE_BREAK, begin)) {
      const line = bytes.subarray(begin, end)
      if (this.#isEnd(line)) {
        this.#digest.update(bytes.subarray(0, begin))
        this.#readEnd(line)
        begin = end + 1
        if (begin < bytes.length) throw new BadLog('something stands after its end')
        this.#rest = Buffer.alloc(0)
        return
      }
      this.#next(line)
      begin = end + 1
    }
    if (this.#isOver && bytes.length > 0) throw new BadLog('something stands after its end')
    this.#digest.update(bytes.subarray(0, begin))
    this.#rest = bytes.subarray(begin)
  }

  /** Returns the result. Call it after the last chunk. */
  end(): ReadLog {
    if (this.#header === null) throw new BadLog('it is no exported log')
    if (!this.#isOver)
      throw new BadLog(`it ends too early: after position ${this.#frontier.size}`, this.#frontier.size + 1)
    const { signed, origin, checkpoint, after } = this.#header
    return {
      checkpoint: signed,
      origin,
      note: checkpoint,
      after,
      redactions: this.#redactions,
      redacted: this.#redacted,
    }
  }

  #readHeader(line: Buffer): void {
    const header = canonical(line.toString()) as (LogHeader & { format: string; version: number }) | undefined
    if (header?.format !== LOG_FORMAT) throw new BadLog('it is no exported log')
    if (header.version !== LOG_VERSION) throw new BadLog(`its version is ${header.version}: a newer verifier reads it`)
    const { checkpoint: signed, origin } = requireCheckpoint(header, this.options.key)
    this.#header = { ...header, origin, signed }
    this.#begin(header)
    this.#requireGoesOn(this.#header)
    this.#next = (next) => this.#readEntry(next)
    this.#compareSince()
  }

  #begin({ after, frontier }: LogHeader): void {
    try {
      this.#frontier = new Frontier(
        after,
        frontier.map((hash) => Buffer.from(hash, 'base64')),
      )
    } catch {
      throw new BadLog('its beginning is damaged')
    }
    this.#unseen = after % TILE
    this.#inTile = this.#unseen
    this.#tileFirst = after - this.#unseen
  }

  #requireGoesOn({ signed, origin, after }: OpenedHeader): void {
    const since = this.#since
    if (after > signed.size) throw new BadLog('its beginning is damaged')
    if (!since) return
    const old = parseOrigin(since.origin)
    if (!old || !isSameLog(old, origin)) throw new BadLog(`the earlier checkpoint is of another log: ${since.origin}`)
    if (old.epoch !== origin.epoch) {
      if (origin.epoch > old.epoch && this.options.acceptsNewEpoch) {
        this.#since = undefined
        return
      }
      throw new BadLog(
        `its epoch is ${origin.epoch}, and that of the earlier checkpoint ${old.epoch}: the operator has begun it anew`,
      )
    }
    if (since.size > signed.size) {
      throw new BadLog(
        `it has ${signed.size} entries, and had ${since.size} at the earlier checkpoint`,
        signed.size + 1,
      )
    }
    if (since.size < after)
      throw new BadLog(`it begins after position ${after}, and the earlier checkpoint is before that`)
  }

  #compareSince(): void {
    const since = this.#since
    if (since?.size !== this.#frontier.size) return
    this.#isOther = !since.root.equals(this.#frontier.root)
  }

  /**
   * Throws if the log differs from the earlier checkpoint. Called after the marks, which may name the entry that
   * differs.
   */
  #requireSame(): void {
    if (!this.#isOther) return
    throw new BadLog(`its first ${this.#since?.size} entries are not those of the earlier checkpoint`)
  }

  get #position(): number {
    return this.#frontier.size
  }

  #readEntry(line: Buffer): void {
    if (startsWith(line, TILE_LINE)) this.#readTile(line)
    else if (startsWith(line, TAIL_LINE)) this.#readTail(line)
    else if (startsWith(line, REDACTED_LINE)) this.#readRedacted(line)
    else {
      this.#add(leafHash(line))
      const { onEntry } = this.options
      if (onEntry) onEntry(sealedEntry(line.toString())?.entry ?? {})
    }
  }

  #add(leaf: Buffer): void {
    if (this.#inTile >= 2 * TILE) throw new BadLog(`there are too many entries after position ${this.#position}`)
    markOf(leaf).copy(this.#marks, this.#inTile * MARK_BYTES)
    this.#inTile++
    // This entry was inserted. The marks at the end of the tile show where.
    if (this.#inTile > TILE || this.#position >= (this.#header?.signed.size ?? 0)) {
      this.#isTileOver = true
      return
    }
    this.#frontier.append(leaf, (height, _, hash) => {
      if (height === TILE_HEIGHT) this.#tile = hash
    })
    if (this.#since) this.#compareSince()
  }

  /** The next line is the redacted entry. The tree holds the hash of the original instead. */
  #readRedacted(line: Buffer): void {
    const { redacted } = (canonical(line.toString()) ?? {}) as { redacted?: RedactionRecord }
    const position = this.#position + 1
    if (!redacted) throw new BadLog(`position ${position} is damaged`, position)
    this.#next = (left) => {
      if (!isContentErased((this.#header as OpenedHeader).origin.tree, left.toString())) throw notRedacted(position)
      if (this.#redactions++ < MAX_REDACTED) this.#redacted.push({ position, ...redacted })
      this.#next = (next) => this.#readEntry(next)
      this.#add(Buffer.from(redacted.leaf_hash, 'base64'))
    }
  }

  #readTile(line: Buffer): void {
    const value = (canonical(line.toString()) ?? {}) as { tile?: number; hash?: string; marks?: string }
    const first = this.#tileFirst
    const marks = Buffer.from(value.marks ?? '', 'base64')
    const isFull = this.#inTile === TILE && !this.#isTileOver
    this.#compareMarks(marks, first, TILE)
    if (!isFull || value.tile !== first / TILE || !this.#tile?.equals(Buffer.from(value.hash ?? '', 'base64'))) {
      throw new BadLog(`one of positions ${first + 1} to ${first + TILE} is not what was sealed`, first + 1)
    }
    this.#requireSame()
    this.#tile = null
    this.#tileFirst = first + TILE
    this.#inTile = 0
    this.#unseen = 0
  }

  #readTail(line: Buffer): void {
    const { tail = '' } = (canonical(line.toString()) ?? {}) as { tail?: string }
    const size = this.#header?.signed.size ?? 0
    this.#compareMarks(Buffer.from(tail, 'base64'), this.#tileFirst, size - this.#tileFirst)
    this.#next = (next) => {
      throw new BadLog(`something stands after its last entry: ${next.toString('utf8', 0, 40)}`)
    }
  }

  /** Throws for the first entry, in a tile or after the last one, that differs from its mark. */
  #compareMarks(marks: Buffer, first: number, expected: number): void {
    const from = this.#unseen * MARK_BYTES
    const seen = this.#marks.subarray(from, this.#inTile * MARK_BYTES)
    const different = firstDifference(seen, marks.subarray(from))
    if (different !== -1) throw notSealed(first + this.#unseen + different + 1)
    if (this.#inTile < expected)
      throw new BadLog(`position ${first + this.#inTile + 1} is missing`, first + this.#inTile + 1)
    if (this.#inTile > expected) throw notSealed(first + expected + 1)
    if (marks.length !== expected * MARK_BYTES) throw new BadLog('what stands after its entries is damaged', first + 1)
  }

  #isEnd(line: Buffer): boolean {
    return this.#header !== null && startsWith(line, END_LINE)
  }

  #readEnd(line: Buffer): void {
    const { signed, key } = this.#header as OpenedHeader
    this.#requireSame()
    if (this.#position < signed.size) {
      throw new BadLog(`position ${this.#position + 1} is missing`, this.#position + 1)
    }
    if (this.#isTileOver) throw notSealed(signed.size + 1)
    if (!this.#frontier.root.equals(signed.root)) {
      throw new BadLog(`one of positions 1 to ${signed.size} is not what was sealed, and which cannot be told`)
    }
    const text = line.toString()
    const { end = '' } = (canonical(text) ?? {}) as { end?: string }
    if (!isSealed(end, this.#digest.digest(), key)) throw new BadLog('what stands between its entries was changed')
    // The signature covers only the lines before this one, so this line must hold nothing else.
    if (endLine(end) !== `${text}\n`) throw new BadLog('its last line was changed')
    this.#isOver = true
  }
}

const notSealed = (position: number) => new BadLog(`position ${position} is not what was sealed`, position)

const notRedacted = (position: number) =>
  new BadLog(`position ${position} is not what was sealed: it should be redacted, and still says something`, position)

const TILE_LINE = Buffer.from('{"tile":')
const TAIL_LINE = Buffer.from('{"tail":')
const REDACTED_LINE = Buffer.from('{"redacted":')
const END_LINE = Buffer.from('{"end":')

function startsWith(line: Buffer, beginning: Buffer): boolean {
  for (let at = 0; at < beginning.length; at++) if (line[at] !== beginning[at]) return false
  return true
}
