import { Cell } from '../cell'

/** Things marked as done: in each space, everything up to an event; and notices. */
export interface Marked {
  readonly through: readonly { readonly space_id: string; readonly event_id: string }[]
  readonly notices: readonly string[]
}

export interface Done extends Marked {
  readonly id: number
  readonly at: number
  /** Once it is under way, it can't be undone: what is done on the server stays so. */
  readonly state: 'undoable' | 'sending' | 'sent'
}

/** How long a mark can be undone. */
export const UNDO_MS = 8_000
/** A tab that has not sent its marks by then will not: it was closed. */
const ABANDONED_MS = UNDO_MS + 5_000
/** So many marks are remembered after they were sent, to hide their entries in lists that were read before. */
const MAX_REQUESTED = 200

interface Stored {
  readonly entries: readonly Done[]
  /** The page has gone with these, and may not have heard the answer. */
  readonly isLeft: boolean
}

export interface DoneWays {
  /** Resolves once the server has it. Rejects if it refuses it. */
  readonly send: (marked: Marked) => Promise<void>
  /** Goes out although the page is going away, and nobody hears the answer. */
  readonly sendLast: (marked: Marked) => void
  readonly onRefused: (error: unknown) => void
}

/**
 * Things that an account has marked as done in this tab. They are off the lists at once. Their marks go to the server
 * when the time to undo them is over, or their reader leaves; until then, the device keeps them. The next tab sends the
 * marks that a closed tab has left.
 */
export class DoneQueue {
  readonly entries = new Cell<readonly Done[]>([])
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()
  #nextId = 1

  constructor(
    private readonly storage: Storage,
    /** Begins with `prefix`, which is that of all tabs of the account. */
    private readonly name: string,
    private readonly prefix: string,
    private readonly ways: DoneWays,
  ) {
    this.#adopt()
  }

  add(marked: Marked): void {
    const done: Done = { ...marked, id: this.#nextId++, at: Date.now(), state: 'undoable' }
    this.#set([...this.entries.value, done])
    this.#watch()
  }

  /** Takes back what was marked last, if there is still time. */
  undo(): Done | undefined {
    const last = this.entries.value.findLast(({ state }) => state === 'undoable')
    if (last) this.#set(this.entries.value.filter((one) => one !== last))
    return last
  }

  /** Sends all that waits. */
  flush(): void {
    this.#send(this.entries.value.filter(({ state }) => state === 'undoable'))
  }

  /** The page goes away. */
  leave(): void {
    const unsent = this.#unsent()
    if (unsent.length === 0) return
    this.ways.sendLast(merged(unsent))
    this.#store(true)
  }

  /** For an account that signs out: what it has marked goes out, and nothing of it stays here. */
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

  #send(entries: readonly Done[]): void {
    if (entries.length === 0) return
    this.#mark(entries, 'sending')
    const ids = entries.map(({ id }) => id)
    this.#last = this.#last.then(() => this.#deliver(this.entries.value.filter(({ id }) => ids.includes(id))))
  }

  async #deliver(entries: readonly Done[]): Promise<void> {
    try {
      await this.ways.send(merged(entries))
      this.#mark(entries, 'sent')
    } catch (error) {
      // One event that is not there any more has the whole of it refused.
      if (entries.length > 1) for (const one of entries) await this.#deliver([one])
      else {
        this.#set(this.entries.value.filter(({ id }) => id !== entries[0]?.id))
        this.ways.onRefused(error)
      }
    }
  }

  /** Takes over what tabs that are gone have left. */
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
      const mine = entries.map((one): Done => ({ ...one, id: this.#nextId++, state: 'undoable' }))
      this.#set([...this.entries.value, ...mine])
      this.#send(mine)
    }
    if (isAnyOpen) setTimeout(() => this.#adopt(), ABANDONED_MS)
  }

  #mark(entries: readonly Done[], state: Done['state']): void {
    const ids = new Set(entries.map(({ id }) => id))
    const marked = this.entries.value.map((one) => (ids.has(one.id) ? { ...one, state } : one))
    const remembered = new Set(marked.filter((one) => one.state === 'sent').slice(-MAX_REQUESTED))
    this.#set(marked.filter((one) => one.state !== 'sent' || remembered.has(one)))
  }

  #set(entries: readonly Done[]): void {
    this.entries.set(entries)
    this.#store(false)
  }

  #unsent(): readonly Done[] {
    return this.entries.value.filter(({ state }) => state !== 'sent')
  }

  #store(isLeft: boolean): void {
    const entries = this.#unsent()
    if (entries.length === 0) this.storage.removeItem(this.name)
    else this.storage.setItem(this.name, JSON.stringify({ entries, isLeft } satisfies Stored))
  }
}

function readStored(text: string | null): Stored {
  try {
    return JSON.parse(text ?? '') as Stored
  } catch {
    return { entries: [], isLeft: true }
  }
}

/** All of them in one: of each space, the last that was marked, which is the furthest. */
export function merged(entries: readonly Marked[]): Marked {
  const through = new Map(entries.flatMap((one) => one.through.map((place) => [place.space_id, place] as const)))
  const notices = new Set(entries.flatMap((one) => one.notices))
  return { through: [...through.values()], notices: [...notices] }
}
