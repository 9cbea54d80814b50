import { createHash } from 'node:crypto'
import {
  type ByteString,
  type Database,
  type DecisionRecord,
  type Span,
  type SummaryRecord,
  textOf,
} from '@collab-spaces/db'
import type { Event, Scope } from '@collab-spaces/domain'
import { EXTRACTIVE_MODEL, type SummaryInput, summarizeExtractively } from '@collab-spaces/summarizer'
import { v7 as uuidv7 } from 'uuid'

/** Writes summaries: the built-in summarizer, or a language model. */
export interface SummaryWriter {
  /** Its name, as shown in a summary. */
  readonly model: string
  /** Returns Markdown. Rejects if it fails. */
  write(input: SummaryInput): Promise<string>
}

/** Works offline and never fails. */
export const extractiveWriter: SummaryWriter = { model: EXTRACTIVE_MODEL, write: summarizeExtractively }

/** The window of a summary; both ends are inclusive. */
export interface SummaryWindow {
  readonly start: Date
  readonly end: Date
}

type Store = Pick<Database, 'events' | 'decisions' | 'summaries'>

/** The contents of a window. Events never change, so a range of positions identifies them. */
interface Source {
  readonly scope: Scope
  readonly spaceId: string
  readonly span: Span
  readonly decisions: SummaryInput['decisions']
}

const eventCountOf = ({ first, last }: Span) => Math.max(0, last - first + 1)

/** Summaries of windows of a space, each written once per source and then stored. */
export class Summaries {
  /** Summaries being written: concurrent requests for the same one share it. */
  readonly #underWay = new Map<string, Promise<SummaryRecord>>()

  constructor(
    private readonly store: Store,
    private readonly writer: SummaryWriter,
    /** Called when the writer fails. */
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** The summary of a window; `regenerate` writes a new one even if one is stored. Null if there is no such space. */
  async read(scope: Scope, spaceId: string, window: SummaryWindow, regenerate: boolean): Promise<SummaryRecord | null> {
    const { events, decisions } = this.store
    const [span, touched] = await Promise.all([
      events.span(scope, spaceId, window),
      decisions.touchedWithin(scope, spaceId, window.start, window.end),
    ])
    if (!span) return null
    const source: Source = { scope, spaceId, span, decisions: touched.map((decision) => partOf(decision, window)) }
    const isEmpty = eventCountOf(span) === 0 && touched.length === 0
    if (isEmpty) return this.#keep(source, extractiveWriter, regenerate)
    try {
      return await this.#keep(source, this.writer, regenerate)
    } catch (error) {
      if (this.writer === extractiveWriter) throw error
      this.onFault(error)
      return this.#keep(source, extractiveWriter, regenerate)
    }
  }

  /** The stored summary of this source by this writer, or a new one. */
  #keep(source: Source, writer: SummaryWriter, regenerate: boolean): Promise<SummaryRecord> {
    const hash = hashOf(source, writer.model)
    const key = `${source.scope}/${source.spaceId}/${hash.toString('hex')}/${regenerate}`
    let making = this.#underWay.get(key)
    if (!making) {
      making = this.#make(source, writer, hash, regenerate).finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, making)
    }
    return making
  }

  async #make(source: Source, writer: SummaryWriter, hash: Buffer, regenerate: boolean): Promise<SummaryRecord> {
    const { scope, spaceId, span } = source
    const { summaries } = this.store
    const kept = regenerate ? null : await summaries.find(scope, spaceId, hash)
    if (kept) return kept
    return summaries.save(scope, spaceId, hash, {
      summaryId: uuidv7(),
      text: await writer.write(this.#inputOf(source)),
      eventCount: eventCountOf(span),
      model: writer.model,
      createdAt: new Date(),
    })
  }

  #inputOf({ scope, spaceId, span, decisions }: Source): SummaryInput {
    return { events: eventsOf(this.store.events.spanPieces(scope, spaceId, span)), decisions }
  }
}

/** A decision as seen from a window. */
const partOf = (decision: DecisionRecord, window: SummaryWindow): SummaryInput['decisions'][number] => ({
  decision_id: decision.decisionId,
  text: decision.text,
  status: decision.status,
  resolution: decision.resolution,
  proposed_by: decision.proposedBy,
  resolved_by: decision.resolvedBy,
  proposed_in_window: isWithin(window, decision.createdAt),
  settled_in_window: decision.resolvedAt !== null && isWithin(window, decision.resolvedAt),
})

const isWithin = ({ start, end }: SummaryWindow, moment: Date) => moment >= start && moment <= end

async function* eventsOf(pieces: AsyncIterable<ByteString>): AsyncGenerator<Event> {
  for await (const piece of pieces) yield* JSON.parse(`[${textOf(piece)}]`) as Event[]
}

/** A summary stays valid as long as its events, decisions and model are the same. */
function hashOf({ span, decisions }: Source, model: string): Buffer {
  const run = eventCountOf(span) === 0 ? null : [span.first, span.last]
  return createHash('sha256')
    .update(JSON.stringify([run, decisions, model]))
    .digest()
}
