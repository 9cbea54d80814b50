import { failed } from '../failure.js'

/** A part of a file of JSON: an element of its list, or a member of its object. Elements of a member's list come alone. */
export interface JsonPart {
  /** The name of the member; null for an element of a list. */
  readonly name: string | null
  readonly value: unknown
}

const MAX_PART = 32 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Splits a file of JSON into its parts, so that no more than one of them is in memory. */
export async function* jsonParts(file: AsyncIterable<Buffer>, path: string): AsyncGenerator<JsonPart> {
  const splitter = new Splitter(path)
  for await (const chunk of file) yield* splitter.add(chunk)
  splitter.end()
}

/** Finds where parts begin and end. `JSON.parse` decides whether they are JSON. */
class Splitter {
  /** The lists and objects that are open around a part. */
  #outer: number[] = []
  #name: string | null = null
  /** The chunks of the part so far; null between parts. */
  #part: Buffer[] | null = null
  #length = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #read = 0
  #isDone = false

  constructor(private readonly path: string) {}

  *add(chunk: Buffer): Generator<JsonPart> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#part === null) {
        if (isBlank(byte) || byte === COMMA || this.#isMark(byte, at)) continue
        if (this.#isDone) throw this.#wrong(at)
        if (this.#opens(byte) || this.#closes(byte)) continue
        if (this.#outer.length === 0) throw this.#wrong(at)
        this.#part = []
        this.#length = 0
        this.#depth = 0
        from = at
      }
      if (!this.#endsAt(byte)) continue
      // A number or a word ends before what follows it, which is looked at again.
      const isOver = byte === QUOTE || ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && this.#depth === 0)
      const until = isOver ? at + 1 : at
      const text = Buffer.concat([...this.#part, chunk.subarray(from, until)]).toString()
      this.#part = null
      at = until - 1
      const part = this.#partOf(text, at)
      if (part) yield part
    }
    if (this.#part !== null) this.#keep(chunk.subarray(from))
    this.#read += chunk.length
  }

  end(): void {
    if (!this.#isDone || this.#part !== null) throw failed(`${this.path}: it ends too early`, CUT)
  }

  #keep(rest: Buffer): void {
    this.#part?.push(rest)
    this.#length += rest.length
    if (this.#length > MAX_PART) throw failed(`${this.path}: a part is longer than any message`)
  }

  /** A byte order mark before the first part. */
  #isMark(byte: number, at: number): boolean {
    return this.#read + at < 3 && byte > 0x7f
  }

  #opens(byte: number): boolean {
    const inner = this.#outer.at(-1)
    const isMember = inner === OPEN_OBJECT && this.#name !== null
    if (byte === COLON && isMember) return true
    if (byte === OPEN_LIST && (this.#outer.length === 0 || (this.#outer.length === 1 && isMember))) {
      this.#outer.push(byte)
      return true
    }
    if (byte === OPEN_OBJECT && this.#outer.length === 0) {
      this.#outer.push(byte)
      return true
    }
    return false
  }

  #closes(byte: number): boolean {
    const inner = this.#outer.at(-1)
    if (byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) return false
    if (inner !== (byte === CLOSE_LIST ? OPEN_LIST : OPEN_OBJECT)) return false
    this.#outer.pop()
    if (this.#outer.length === 0) this.#isDone = true
    if (this.#outer.length === 1) this.#name = null
    return true
  }

  /** Whether a byte of a part is its last one, or the first one after it. */
  #endsAt(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) {
        this.#isInString = false
        return this.#depth === 0
      }
      return false
    }
    if (byte === QUOTE) this.#isInString = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#depth -= 1
      return this.#depth <= 0
    } else if (this.#depth === 0 && (byte === COMMA || byte === COLON || isBlank(byte))) return true
    return false
  }

  /** A string in an object is the name of a member, unless it follows one. */
  #partOf(text: string, at: number): JsonPart | null {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw this.#wrong(at)
    }
    if (this.#outer.at(-1) === OPEN_LIST) return { name: this.#name, value }
    if (this.#name === null && typeof value === 'string') {
      this.#name = value
      return null
    }
    const name = this.#name
    this.#name = null
    return { name, value }
  }

  #wrong(at: number) {
    return failed(`${this.path}: not JSON at byte ${(this.#read + at + 1).toLocaleString('en')}`, CUT)
  }
}

const CUT = 'The file was cut or changed: get the export again'
