import { createHash } from 'node:crypto'
import { isVisible, LIMITS, link, shorten } from '@collab-spaces/client'
import { usage } from '../failure.js'
import type { Archive } from './archive.js'
import type { People, Speaker } from './people.js'
import type { Channel, Message } from './record.js'
import type { Service } from './service.js'
import { Spool } from './spool.js'
import { LEFT_OUT } from './value.js'

export interface PlanOptions {
  /** The space for all channels; undefined for one for each. */
  readonly space?: string | undefined
  /** The names or IDs of the channels to import; undefined for all. */
  readonly channels?: readonly string[] | undefined
  readonly includesDirect: boolean
  /** Undefined for that of each channel. */
  readonly visibility?: 'open' | 'private' | undefined
}

/** A message as it is imported. */
export interface PlannedMessage extends Message {
  readonly spoken: Speaker
  /** Where its files are in the archive, with their names. */
  readonly uploads: readonly { readonly name: string; readonly path: string }[]
}

/** A space, and what goes into it. */
export interface PlannedSpace {
  readonly space_id: string
  readonly title: string
  readonly description: string
  readonly visibility: 'open' | 'private'
  readonly channels: readonly Channel[]
  messages: number
  threads: number
  files: number
}

/** What becomes of an export. */
export interface Plan {
  readonly spaces: readonly PlannedSpace[]
  readonly spool: Spool<PlannedMessage>
  readonly leftOut: Readonly<Record<string, number>>
}

/** Clocks may differ by so much. */
const MAX_AHEAD_MS = 60_000

/** Reads a whole export, so that one that is broken is refused before anything is written. */
export class Planner {
  readonly #channels = new Map<string, Channel>()
  readonly #counts = new Map<string, { messages: number; files: number; threads: Set<string> }>()
  readonly #leftOut = new Map<string, number>()
  readonly #now = Date.now()

  private constructor(
    private readonly spool: Spool<PlannedMessage>,
    private readonly archive: Archive,
    private readonly people: People,
    private readonly options: PlanOptions,
  ) {}

  static async plan(
    service: Service,
    archive: Archive,
    path: string,
    people: People,
    options: PlanOptions,
    show: (messages: number) => void,
  ): Promise<Plan> {
    const spool = await Spool.open<PlannedMessage>()
    try {
      const planner = new Planner(spool, archive, people, options)
      for await (const record of service.read(archive, path)) {
        if (record.kind === 'channel') planner.#addChannel(record.channel)
        else if (record.kind === 'left_out') planner.#leave(record.reason, record.count)
        else await planner.#addMessage(record.message)
        show(spool.count)
      }
      await spool.end()
      return { spaces: planner.#spaces(service.name), spool, leftOut: Object.fromEntries(planner.#leftOut) }
    } catch (error) {
      await spool.close()
      throw error
    }
  }

  /** Of several records of a channel, one with a description counts. */
  #addChannel(channel: Channel): void {
    if (!this.#channels.get(channel.id)?.description) this.#channels.set(channel.id, channel)
  }

  #leave(reason: string, count = 1): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + count)
  }

  async #addMessage(message: Message): Promise<void> {
    const channel = this.#channels.get(message.channelId) ?? unnamed(message.channelId)
    this.#channels.set(channel.id, channel)
    if (channel.isDirect && !this.options.includesDirect) return this.#leave(LEFT_OUT.direct)
    if (!this.#isChosen(channel)) return this.#leave('messages of other channels')
    if (!(message.at >= 0 && message.at < this.#now + MAX_AHEAD_MS)) return this.#leave(LEFT_OUT.unreadable)
    const planned = this.#planned(message)
    if (!isVisible(planned.text)) return this.#leave(LEFT_OUT.empty)
    if (!(await this.spool.add(planned))) return this.#leave(LEFT_OUT.repeated)
    const counts = this.#counts.get(channel.id) ?? { messages: 0, files: 0, threads: new Set() }
    this.#counts.set(channel.id, counts)
    counts.messages += 1
    counts.files += planned.uploads.length
    if (message.thread !== null && message.thread !== message.id) counts.threads.add(message.thread)
  }

  #isChosen({ id, name }: Channel): boolean {
    return this.options.channels?.some((wanted) => wanted === id || wanted.replace(/^#/, '') === name) ?? true
  }

  #planned(message: Message): PlannedMessage {
    const uploads: { name: string; path: string }[] = []
    const links: string[] = []
    for (const { name, path, url } of message.files) {
      const isHere = path !== null && this.archive.has(path)
      if (isHere && uploads.length < LIMITS.eventFiles) uploads.push({ name: fileName(name), path })
      else links.push(link(name.replace(/[[\]\n]/g, ' '), url ?? ''))
      if (!isHere && url === null) this.#leave('files that the export does not have')
    }
    const text = message.text.replaceAll('\0', '').toWellFormed().trim()
    const shown = [text, ...links].filter(Boolean).join('\n\n') || uploads.map(({ name }) => name).join(', ')
    const marked = message.isEdited ? `${shown} (edited)` : shown
    if (shorten(marked, LIMITS.text) !== marked) this.#leave('ends of messages that are too long')
    const spoken = this.people.speakerOf(message.speaker)
    return { ...message, text: shorten(marked, LIMITS.text), files: [], uploads, spoken }
  }

  #spaces(service: string): PlannedSpace[] {
    const missing = this.options.channels?.find(
      (wanted) =>
        ![...this.#channels.values()].some(({ id, name }) => wanted === id || wanted.replace(/^#/, '') === name),
    )
    if (missing !== undefined) throw usage(`The export has no channel ${missing}`, 'Its channels: see --dry-run')
    const spaces = new Map<string, PlannedSpace & { channels: Channel[] }>()
    for (const channel of this.#channels.values()) {
      const counts = this.#counts.get(channel.id)
      if (!counts) continue
      const space_id = this.options.space ?? this.#freeId(spaces, service, channel)
      const space = spaces.get(space_id) ?? newSpace(space_id, channel, this.options.space !== undefined)
      const isPrivate = space.visibility === 'private' || channel.isPrivate
      spaces.set(space_id, {
        ...space,
        visibility: this.options.visibility ?? (isPrivate ? 'private' : 'open'),
        channels: [...space.channels, channel],
        messages: space.messages + counts.messages,
        threads: space.threads + counts.threads.size,
        files: space.files + counts.files,
      })
    }
    return [...spaces.values()]
  }

  #freeId(spaces: ReadonlyMap<string, unknown>, service: string, { id, name }: Channel): string {
    const base = slugOf(name) || `${service}-${slugOf(id)}`
    return spaces.has(base) ? `${base}-${slugOf(id)}` : base
  }
}

const unnamed = (id: string): Channel => ({ id, name: id, description: '', isPrivate: true, isDirect: false })

const newSpace = (space_id: string, { name, description }: Channel, isShared: boolean) => ({
  space_id,
  title: isShared ? '' : shorten(name.replace(/\s+/g, ' ').trim(), LIMITS.title),
  description: isShared ? '' : shorten(description.trim(), LIMITS.description),
  visibility: 'open' as const,
  channels: [],
  messages: 0,
  threads: 0,
  files: 0,
})

/** A name in the letters of space IDs. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 60)

/** A name without the signs that those of files cannot have. */
const fileName = (name: string): string =>
  shorten(
    name
      .replace(/[\p{Cc}/\\]/gu, ' ')
      .toWellFormed()
      .trim() || 'file',
    LIMITS.fileName,
  )

/** The idempotency key of a message, whatever letters its ID has. */
export const keyFor = (service: string, key: string): string =>
  `import:${service}:${createHash('sha256').update(key).digest('hex')}`
