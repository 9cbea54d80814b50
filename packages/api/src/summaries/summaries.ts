import { createHash } from 'node:crypto'
import {
  type Database,
  type DecidedExcerpt,
  type DecidedWithin,
  databaseClock,
  type FoundSpan,
  type Span,
  type SummaryRecord,
} from '@collab-spaces/db'
import {
  type Author,
  attributedName,
  type ReadableSpace,
  type TenantId,
  type TimeSpan,
  tooBusy,
  type Viewer,
} from '@collab-spaces/domain'
import type { FairKey, Slot, SlotRequest } from '@collab-spaces/fair'
import type { SummaryLanguage } from '@collab-spaces/summarizer'
import { v7 as uuidv7 } from 'uuid'
import { ExtractiveWriter } from './extractive.js'
import { FairWriter } from './fair-writer.js'
import { SharedWork } from './shared-work.js'
import type { SummaryWriter, WindowDecisions } from './writer.js'

type Store = Pick<Database, 'events' | 'decisions' | 'summaries' | 'tenants'>

/** The contents of a window. A range of positions and the numbers of redactions and revisions identify them. */
interface Source {
  readonly space: ReadableSpace
  readonly window: TimeSpan
  readonly span: FoundSpan
  readonly decided: DecidedWithin
  readonly language: SummaryLanguage
}

interface SummaryOptions {
  readonly regenerate: boolean
  readonly language: SummaryLanguage
}

const eventCountOf = ({ first, last }: Span) => Math.max(0, last - first + 1)

/** The maximum number of attempts when events are redacted or revised during writing. */
const MAX_TRIES = 3

/** Summaries of windows of a space, each written once per source and stored. */
export class Summaries {
  /** The summaries being written, shared by concurrent requests. */
  readonly #underWay = new Map<string, SharedWork<SummaryRecord | null>>()
  readonly #builtIn: FairWriter
  readonly #preferred: FairWriter

  constructor(
    private readonly store: Store,
    /** A language model, if there is one. */
    writer: SummaryWriter | undefined,
    /** Called when the language model fails. */
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#builtIn = new FairWriter(new ExtractiveWriter())
    this.#preferred = writer ? new FairWriter(writer) : this.#builtIn
  }

  /**
   * Returns the summary of a window; `regenerate` writes a new one even if one is stored. 404 for an unknown space. The slot
   * rests during writing.
   */
  async read(
    viewer: Viewer,
    slot: Slot,
    spaceId: string,
    window: TimeSpan,
    { regenerate, language }: SummaryOptions,
  ): Promise<SummaryRecord> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const source = await this.#sourceOf(viewer, spaceId, window, language)
      const summary = await slot.rest(() => this.#keepOf(slot.request, source, regenerate))
      if (summary) return summary
    }
    throw tooBusy()
  }

  async #sourceOf(viewer: Viewer, spaceId: string, window: TimeSpan, language: SummaryLanguage): Promise<Source> {
    const span = await this.store.events.span(viewer, spaceId, window)
    const { space } = span
    return { space, window, span, decided: await this.store.decisions.decidedWithin(space, window), language }
  }

  /**
   * Writes by the preferred writer, or by the built-in one if that fails or the tenant does not allow it. Null if an event
   * was redacted or revised meanwhile.
   */
  async #keepOf(request: SlotRequest, source: Source, regenerate: boolean): Promise<SummaryRecord | null> {
    const isEmpty = eventCountOf(source.span) === 0 && source.decided.digest === null
    if (isEmpty || this.#preferred === this.#builtIn || !(await this.#allowsLanguageModel(source.space.tenantId)))
      return this.#keep(request, source, this.#builtIn, regenerate)
    let hasLeft = false
    request.whenGone?.(() => {
      hasLeft = true
    })
    try {
      return await this.#keep(request, source, this.#preferred, regenerate)
    } catch (error) {
      if (hasLeft) throw error
      if (!(error instanceof MayNotLeave)) this.onFault(error)
      return this.#keep(request, source, this.#builtIn, regenerate)
    }
  }

  /** Reads the database each time, as an instance that missed a signal would continue to send texts. */
  async #allowsLanguageModel(tenantId: TenantId): Promise<boolean> {
    return (await this.store.tenants.find(tenantId))?.allowsLanguageModel ?? false
  }

  /** Summarizes a run of events by the built-in summarizer, without storing it. The slot rests meanwhile. */
  ofRun(space: ReadableSpace, slot: Slot, run: Span): Promise<string> {
    const source = {
      pieces: this.store.events.spanPiecesAlone(space, run),
      eventCount: eventCountOf(run),
      language: 'en' as const,
      readDecisions: noDecisions,
      requireMayLeave: async () => {},
    }
    return slot.rest(() => this.#builtIn.write(slot.request.fairKey, source, slot.signal))
  }

  /** Returns some decisions of a window, and the number of further ones. */
  async #decidedIn({ space, window, decided }: Source): Promise<WindowDecisions> {
    const shown = await this.store.decisions.excerptsWithin(space, window)
    const { length: proposed } = shown.filter(({ isProposedWithin }) => isProposedWithin)
    const { length: settled } = shown.filter(({ isSettledWithin }) => isSettledWithin)
    // Some of the listed ones may be newer than the count.
    const moreDecisions = {
      proposed: Math.max(0, decided.proposed - proposed),
      settled: Math.max(0, decided.settled - settled),
    }
    return { decisions: shown.map(summarizedOf), moreDecisions }
  }

  /** Returns the stored summary of a source by a writer, or writes it. */
  #keep(request: SlotRequest, source: Source, writer: FairWriter, regenerate: boolean): Promise<SummaryRecord | null> {
    const hash = hashOf(source, writer.model)
    const key = `${source.space.tenantId}/${source.space.spaceId}/${hash.toString('hex')}/${regenerate}`
    const underWay = this.#underWay.get(key)
    if (underWay && !underWay.isAbandoned) return underWay.shareWith(request)
    // Aborts only once all waiting callers have left.
    const work = new SharedWork((signal) =>
      this.#make(request.fairKey, source, writer, hash, regenerate, signal).finally(() => {
        if (this.#underWay.get(key) === work) this.#underWay.delete(key)
      }),
    )
    this.#underWay.set(key, work)
    return work.shareWith(request)
  }

  async #make(
    fairKey: FairKey,
    source: Source,
    writer: FairWriter,
    hash: Buffer,
    regenerate: boolean,
    signal: AbortSignal,
  ): Promise<SummaryRecord | null> {
    const { space, span, language } = source
    const { summaries, events } = this.store
    const kept = regenerate ? null : await summaries.find(space, hash)
    if (kept) return kept
    const eventCount = eventCountOf(span)
    const pieces = events.spanPiecesAlone(space, span)
    const readDecisions = () => this.#decidedIn(source)
    const requireMayLeave = async () => {
      if (writer !== this.#builtIn && !(await this.#allowsLanguageModel(space.tenantId))) throw new MayNotLeave()
    }
    const material = { pieces, eventCount, language, readDecisions, requireMayLeave }
    const text = await writer.write(fairKey, material, signal)
    await requireMayLeave()
    const summary = { summaryId: uuidv7(), text, eventCount, model: writer.model, createdAt: databaseClock.now() }
    return summaries.save(space, hash, summary, span)
  }
}

/** The operator does not allow a tenant's texts to be sent to a language model. */
class MayNotLeave extends Error {}

const noDecisions = async (): Promise<WindowDecisions> => ({
  decisions: [],
  moreDecisions: { proposed: 0, settled: 0 },
})

const summarizedOf = (decision: DecidedExcerpt): WindowDecisions['decisions'][number] => ({
  decision_id: decision.decisionId,
  text: decision.text,
  status: decision.status,
  resolution: decision.resolution,
  proposer: namedBy(decision.proposer, decision.proposedBy),
  settler: decision.resolvedBy === null ? null : namedBy(decision.settler, decision.resolvedBy),
  proposed_in_window: decision.isProposedWithin,
  settled_in_window: decision.isSettledWithin,
})

/** The author's name and attribution. The settler of old decisions is unknown. */
const namedBy = (author: Author | null, claimed: string) => ({
  name: author?.name ?? '',
  as: attributedName(claimed, author),
})

/** Hashes what a summary depends on: its events, decisions, model and language. English adds nothing, as in old hashes. */
function hashOf({ span, decided, language }: Source, model: string): Buffer {
  const { first, last, redactions, revisions } = span
  const decisions = decided.digest === null ? [] : [decided.digest]
  const run = eventCountOf(span) === 0 ? null : [first, last, redactions, revisions]
  return createHash('sha256')
    .update(JSON.stringify([run, decisions, model, ...(language === 'en' ? [] : [language])]))
    .digest()
}
