import { posix } from 'node:path'
import { link } from '@collab-spaces/client'
import type { Archive } from './archive.js'
import { jsonParts } from './json-parts.js'
import {
  type ArchivedFile,
  type ArchiveRecord,
  type Channel,
  leftOut,
  message,
  type Person,
  wrongService,
} from './record.js'
import { countOf, LEFT_OUT, listOf, objectOf, textOf, type Value } from './value.js'

/** What people write. Everything else tells of calls, pins, threads and members. */
const SAID = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand'])

/** The channel of a file, and the thread if the file is one of a thread. */
interface Place {
  readonly channel: Channel
  readonly thread: { readonly name: string; readonly subject: string } | null
}

/** Reads the JSON of DiscordChatExporter: a file for each channel and each thread. */
export async function* readDiscord(archive: Archive, path: string): AsyncGenerator<ArchiveRecord> {
  let isAny = false
  for (const file of archive.paths.filter((name) => name.endsWith('.json')).sort()) {
    let place: Place | null = null
    let isMine = false
    for await (const { name, value } of jsonParts(await archive.read(file), file)) {
      if (name === 'guild') isMine = true
      else if (name === 'channel' && isMine) {
        place = placeOf(objectOf(value))
        isAny = true
        yield { kind: 'channel', channel: place.channel }
      } else if (name === 'messages' && place) yield* messageOf(objectOf(value), place, posix.dirname(file))
      else if (!isMine) break
    }
  }
  if (!isAny) throw wrongService(path, 'DiscordChatExporter', 'a file of JSON with a guild and a channel')
}

/** The export does not say who may read a channel. */
function placeOf(value: Value): Place {
  const [type, id, name] = [textOf(value.type), textOf(value.id), textOf(value.name)]
  const isDirect = type.startsWith('Direct')
  const channel = { id, name, description: textOf(value.topic), isPrivate: true, isDirect }
  if (!type.includes('Thread')) return { channel, thread: null }
  const parent = {
    ...channel,
    id: textOf(value.categoryId) || id,
    name: textOf(value.category) || name,
    description: '',
  }
  return { channel: parent, thread: { name: id, subject: name } }
}

function* messageOf(value: Value, { channel, thread }: Place, folder: string): Generator<ArchiveRecord> {
  if (!SAID.has(textOf(value.type))) return yield leftOut(LEFT_OUT.notices)
  const reactions = countOf(value.reactions)
  if (reactions > 0) yield leftOut(LEFT_OUT.reactions, reactions)
  const embeds = listOf(value.embeds).map(objectOf)
  const stickers = listOf(value.stickers).map((one) => `:${textOf(objectOf(one).name)}:`)
  const text = [withNames(textOf(value.content), listOf(value.mentions).map(objectOf)), ...stickers]
  const shown = text.some((part) => part !== '') ? text : embeds.map(embedded)
  yield message({
    id: textOf(value.id),
    channelId: channel.id,
    at: Date.parse(textOf(value.timestamp)),
    speaker: personOf(objectOf(value.author)),
    text: shown.filter((part) => part !== '').join('\n\n'),
    isEdited: textOf(value.timestampEdited) !== '',
    thread: thread?.name ?? null,
    subject: thread?.subject ?? null,
    parent: textOf(objectOf(value.reference).messageId) || null,
    files: listOf(value.attachments).map((one) => fileOf(objectOf(one), folder)),
  })
}

const personOf = (value: Value): Person => ({
  id: textOf(value.id),
  name: textOf(value.nickname) || textOf(value.name),
  email: null,
  isBot: value.isBot === true,
})

const embedded = ({ title, url, description }: Value) =>
  [link(textOf(title), textOf(url)), textOf(description)].filter(Boolean).join('\n\n')

/** Mentions and emoji in their own form, where the export was made without names. */
const withNames = (text: string, mentions: readonly Value[]) =>
  text
    .replace(/<@!?(\d+)>/g, (whole, id: string) => {
      const found = mentions.find((mention) => mention.id === id)
      return found ? `@${textOf(found.nickname) || textOf(found.name)}` : whole
    })
    .replace(/<a?(:\w+:)\d+>/g, '$1')

/** The exporter can save files next to its own, with their places as addresses. */
function fileOf(value: Value, folder: string): ArchivedFile {
  const url = textOf(value.url)
  const isWeb = /^https?:/i.test(url)
  return {
    name: textOf(value.fileName) || 'file',
    path: isWeb ? null : posix.join(folder, url.replaceAll('\\', '/')),
    url: isWeb ? url : null,
  }
}
