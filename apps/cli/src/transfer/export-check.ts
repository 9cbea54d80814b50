import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Client, type Event, LIMITS, SpacesError } from '@collab-spaces/client'
import { pagesAfter } from '../event/history.js'
import { EXIT, Failure } from '../failure.js'
import { CONVERT } from '../input/utf8.js'
import { type Draft, draftOf, MAX_BYTES, MAX_EVENTS, REFUSED, refusedIn } from './draft.js'
import { type Line, textOf } from './lines.js'
import { sourceIn } from './origin.js'
import { recordIn } from './record.js'

/** An event to check, with the line that it came from. */
interface CheckedEvent {
  readonly line: number
  readonly draft: Draft
}

/** An event of an earlier import, by any account. */
export interface ImportedEvent {
  readonly event_id: string
  /** The hash of its content; null once that is erased. */
  readonly hash: string | null
}

/** Checks all lines of an export before the first one is imported, so that nothing is left of an import that is refused. */
export class ExportCheck {
  #batch: CheckedEvent[] = []
  #bytes = 0
  /** From the ID of each event of the export to its line and the hash of its content. */
  readonly #seen = new Map<string, { readonly line: number; readonly hash: string }>()
  /** What earlier imports have left in the space, by the IDs in the export. */
  readonly imported = new Map<string, ImportedEvent>()
  /** The events of the space itself. */
  readonly #own = new Set<string>()

  constructor(
    private readonly client: Client,
    private readonly spaceId: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads what the space has: an event that was imported before has to be the same. */
  async learn(): Promise<void> {
    for await (const page of pagesAfter(this.client, this.spaceId, undefined, this.signal)) {
      for (const event of page) {
        this.#own.add(event.event_id)
        const sourceId = sourceIn(event)
        if (sourceId === null || this.imported.has(sourceId)) continue
        const hash = event.redacted_at === undefined ? contentHash(event) : null
        this.imported.set(sourceId, { event_id: event.event_id, hash })
      }
    }
  }

  async add(line: Line): Promise<void> {
    const { number } = line
    if (!isUtf8(line.bytes)) throw refusal(number, 'not UTF-8', CONVERT)
    const record = recordIn(textOf(line))
    if (!record) {
      throw refusal(
        number,
        'not an event or a thread of an export',
        'Export the space again: the file was cut or changed',
      )
    }
    if ('event' in record) return this.#addEvent(number, record.event)
    if (record.thread.subject.trim() === '' || [...record.thread.subject].length > LIMITS.subject) {
      throw refusal(number, 'the subject of a thread is empty or too long', FIX)
    }
  }

  /** Has the server check what is left. */
  async end(): Promise<void> {
    await this.#flush()
  }

  async #addEvent(line: number, event: Event): Promise<void> {
    const { event_id } = event
    if (event.space_id === this.spaceId && this.#own.has(event_id)) {
      throw refusal(line, `this export comes from ${this.spaceId} itself`, 'Import it into another space')
    }
    const hash = contentHash(event)
    const before = this.#seen.get(event_id)
    if (before && before.hash !== hash) {
      throw refusal(line, `line ${before.line} has another event with this ID`, FIX, EXIT.conflict)
    }
    if (before) return
    const imported = this.imported.get(event_id)?.hash ?? hash
    if (imported !== hash) {
      const hint = 'Import the export into another space, or restore the line as it was'
      throw refusal(line, `${this.spaceId} has this event with another content`, hint, EXIT.conflict)
    }
    this.#seen.set(event_id, { line, hash })
    const draft = draftOf(event)
    const bytes = Buffer.byteLength(JSON.stringify(draft))
    if (this.#batch.length === MAX_EVENTS || this.#bytes + bytes > MAX_BYTES) await this.#flush()
    this.#batch.push({ line, draft })
    this.#bytes += bytes
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    if (batch.length === 0) return
    try {
      await this.client.event.checkBatch.mutate({ events: batch.map(({ draft }) => draft) }, { signal: this.signal })
    } catch (error) {
      const refused = batch[refusedIn(error) ?? -1]
      if (!refused || !(error instanceof SpacesError)) throw error
      const hint = error.status === 403 ? ALLOW : FIX
      throw refusal(refused.line, error.detail.replace(REFUSED, ''), hint)
    }
  }
}

const FIX = 'Fix the line and import the file again'
const ALLOW =
  'The line is right. An admin can allow it until the import is done: spaces tenant policy --attribution free\n' +
  'Or import where the speaker is no member: another tenant or server'

const refusal = (line: number, problem: string, hint: string, code: Failure['exitCode'] = EXIT.failed) =>
  new Failure(code, `line ${line}: ${problem}`, `Nothing was imported. ${hint}`)

/** The hash of what an import keeps of an event as it is. */
const contentHash = ({ speaker_id, speaker_name, speaker_type, text, references }: Event): string =>
  createHash('sha256')
    .update(JSON.stringify([speaker_id, speaker_name, speaker_type, text, references ?? []]))
    .digest('base64')
