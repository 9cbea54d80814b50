import { failed } from '../failure.js'

/** What a reader finds in the export of another service, in the terms that all of them share. */
export type ArchiveRecord =
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'left_out'; readonly reason: string; readonly count: number }

export interface Channel {
  /** Its ID in the service. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Whether only some people read it there; true where the export does not say. */
  readonly isPrivate: boolean
  /** Whether it is a conversation of a few people, without a name. */
  readonly isDirect: boolean
}

export interface Person {
  /** The ID in the service. */
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly isBot: boolean
}

export interface Message {
  /** Unique in its channel. */
  readonly id: string
  readonly channelId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly speaker: Person
  /** Markdown. */
  readonly text: string
  readonly isEdited: boolean
  /** The name of its thread in the channel: for many services, the ID of the message that it starts on. */
  readonly thread: string | null
  /** The subject of its thread, if it has one. */
  readonly subject: string | null
  /** The ID of the message that it replies to. */
  readonly parent: string | null
  readonly files: readonly ArchivedFile[]
}

/** A file of a message: in the archive, or only its address. */
export interface ArchivedFile {
  readonly name: string
  /** Where the archive may have it. */
  readonly path: string | null
  readonly url: string | null
}

export const message = (
  fields: Pick<Message, 'id' | 'channelId' | 'at' | 'speaker' | 'text'> & Partial<Message>,
): ArchiveRecord => ({
  kind: 'message',
  message: { isEdited: false, thread: null, subject: null, parent: null, files: [], ...fields },
})

export const leftOut = (reason: string, count = 1): ArchiveRecord => ({ kind: 'left_out', reason, count })

/** An archive that cannot be read to its end. */
export const broken = (path: string, error: unknown) =>
  failed(`Cannot read ${path}: ${(error as Error).message}`, 'The file was cut or changed: get the export again')

/** An export of another service, or of none. */
export const wrongService = (path: string, service: string, missing: string) =>
  failed(`${path} is no export of ${service}: it has no ${missing}`)
