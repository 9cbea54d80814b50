import { Cell } from '../cell'

/** Done marks: in each space, everything up to an event; and notices. */
export interface DoneMarks {
  readonly through: readonly { readonly space_id: string; readonly event_id: string }[]
  readonly notices: readonly string[]
}

export interface DoneEntry extends DoneMarks {
  readonly id: number
  readonly at: number
  /** A mark that is being sent can no longer be undone. */
  readonly state: 'undoable' | 'sending' | 'sent'
}

/** The time within which a mark can be undone. */
export const UNDO_MS = 8_000
/** The age at which unsent marks belong to a closed tab. */
const ABANDONED_MS = UNDO_MS + 5_000
/** The number of sent marks kept, to hide their entries in lists fetched before. */
const MAX_SENT = 200

interface StoredEntries {
  readonly entries: readonly DoneEntry[]
  /** Whether the page was closed with them, perhaps before an answer. */
  readonly isLeft: boolean
}

export interface DoneTransport {
  /** Resolves when the server has accepted the marks. Rejects if it refuses them. */
  readonly send: (marked: DoneMarks) => Promise<void>
  /** Sends marks while the page unloads, without awaiting the answer. */
  readonly sendLast: (marked: DoneMarks) => void
  readonly onRefused: (error: unknown) => void
}

/**
 * The done marks of an account in this tab. Marked entries disappear from lists immediately. Marks are sent when they
 * can no longer be undone, or the reader leaves, and are stored until then. The next tab sends the marks of a closed
 * one.
 */
export class DoneQueue {
  readonly entries = new Cell<readonly DoneEntry[]>([])
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()
  #nextId = 1

  constructor(
    private readonly storage: Storage,
    /** The storage key of this tab. It begins with `prefix`, which all tabs of the account share. */
    private readonly name: string,
    private readonly prefix: string,
    private readonly ways: DoneTransport,
  ) {
    this.#adopt()
  }

  add(marked: DoneMarks): void {
    const done: DoneEntry = { ...marked, id: this.#nextId++, at: Date.now(), state: 'undoable' }
    this.#set([...this.entries.value, done])
    this.#watch()
  }

  /** Undoes the last mark, if it was not sent. */
  undo(): DoneEntry | undefined {
    const last = this.entries.value.findLast(({ state }) => state === 'undoable')
    if (last) this.#set(this.entries.value.filter((one) => one !== last))
    return last
  }

  /** Sends all pending marks. */
  flush(): void {
    this.#send(this.entries.value.filter(({ state }) => state === 'undoable'))
  }

  /** Sends pending marks when the page unloads. */
  leave(): void {
    const unsent = this.#unsent()
    if (unsent.length === 0) return
    this.ways.sendLast(merged(unsent))
    this.#store(true)
  }

  /** Sends and deletes all marks of an account that signs out. */
  forget(): void {
    clearTimeout(this.#timer)
    const unsent = this.#unsent()
    if (unsent.length > 0) this.ways.sendLast(merged(unsent))
    this.#set([])
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const first = this.entries.value.find(({ state }) => state === 'undoable')
    if (!first) return
    this.#timer = setTimeout(
      () => {
        this.#send(this.entries.value.filter(({ state, at }) => state === 'undoable' && at <= Date.now() - UNDO_MS))
        this.#watch()
      },
      Math.max(0, first.at + UNDO_MS - Date.now()),
    )
  }

  #send(entries: readonly DoneEntry[]): void {
    if (entries.length === 0) return
    this.#mark(entries, 'sending')
    const ids = entries.map(({ id }) => id)
    this.#last = this.#last.then(() => this.#deliver(this.entries.value.filter(({ id }) => ids.includes(id))))
  }

  async #deliver(entries: readonly DoneEntry[]): Promise<void> {
    try {
      await this.ways.send(merged(entries))
      this.#mark(entries, 'sent')
    } catch (error) {
      // A single missing event makes the server refuse all marks of a request.
      if (entries.length > 1) for (const one of entries) await this.#deliver([one])
      else {
        this.#set(this.entries.value.filter(({ id }) => id !== entries[0]?.id))
        this.ways.onRefused(error)
      }
    }
  }

  /** Adopts the marks of closed tabs. */
  #adopt(): void {
    let isAnyOpen = false
    for (const name of Object.keys(this.storage)) {
      if (!name.startsWith(this.prefix) || name === this.name) continue
      const { entries, isLeft } = readStored(this.storage.getItem(name))
      if (!isLeft && entries.some(({ at }) => at > Date.now() - ABANDONED_MS)) {
        isAnyOpen = true
        continue
      }
      this.storage.removeItem(name)
      const mine = entries.map((one): DoneEntry => ({ ...one, id: this.#nextId++, state: 'undoable' }))
      this.#set([...this.entries.value, ...mine])
      this.#send(mine)
    }
    if (isAnyOpen) setTimeout(() => this.#adopt(), ABANDONED_MS)
  }

  #mark(entries: readonly DoneEntry[], state: DoneEntry['state']): void {
    const ids = new Set(entries.map(({ id }) => id))
    const marked = this.entries.value.map((one) => (ids.has(one.id) ? { ...one, state } : one))
    const remembered = new Set(marked.filter((one) => one.state === 'sent').slice(-MAX_SENT))
    this.#set(marked.filter((one) => one.state !== 'sent' || remembered.has(one)))
  }

  #set(entries: readonly DoneEntry[]): void {
    this.entries.set(entries)
    this.#store(false)
  }

  #unsent(): readonly DoneEntry[] {
    return this.entries.value.filter(({ state }) => state !== 'sent')
  }

  #store(isLeft: boolean): void {
    const entries = this.#unsent()
    if (entries.length === 0) this.storage.removeItem(this.name)
    else this.storage.setItem(this.name, JSON.stringify({ entries, isLeft } satisfies StoredEntries))
  }
}

function readStored(text: string | null): StoredEntries {
  try {
    return JSON.parse(text ?? '') as StoredEntries
  } catch {
    return { entries: [], isLeft: true }
  }
}

/** Merges marks: the last one of each space is the furthest. */
export function merged(entries: readonly DoneMarks[]): DoneMarks {
  const through = new Map(entries.flatMap((one) => one.through.map((place) => [place.space_id, place] as const)))
  const notices = new Set(entries.flatMap((one) => one.notices))
  return { through: [...through.values()], notices: [...notices] }
}
