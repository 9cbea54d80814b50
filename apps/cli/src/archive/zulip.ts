import type { Archive } from './archive.js'
import { jsonParts } from './json-parts.js'
import { type ArchivedFile, type ArchiveRecord, leftOut, message, type Person, wrongService } from './record.js'
import { LEFT_OUT, numberOf, objectOf, textOf, type Value } from './value.js'

/** Recipients that are channels. */
const STREAM = 2

/** What the messages of an export refer to. */
interface Realm {
  readonly people: Map<string, Person>
  /** From the ID of a recipient to that of its channel. */
  readonly recipients: Map<string, string>
}

/** Reads an export of Zulip: a file about the organization, and numbered files of messages. A topic becomes a thread. */
export async function* readZulip(archive: Archive, path: string): AsyncGenerator<ArchiveRecord> {
  const file = archive.paths.find((name) => /(^|\/)realm\.json$/.test(name))
  if (file === undefined) throw wrongService(path, 'Zulip', 'realm.json')
  const root = file.slice(0, -'realm.json'.length)
  const realm: Realm = { people: new Map(), recipients: new Map() }
  for await (const { name, value } of jsonParts(await archive.read(file), file)) {
    yield* realmPart(name, objectOf(value), realm)
  }
  for (const messages of archive.paths.filter((name) => /^messages-\d+\.json$/.test(name.slice(root.length))).sort()) {
    for await (const { name, value } of jsonParts(await archive.read(messages), messages)) {
      if (name === 'zerver_reaction') yield leftOut(LEFT_OUT.reactions)
      if (name === 'zerver_message') yield messageOf(objectOf(value), realm, root)
    }
  }
}

function* realmPart(name: string | null, value: Value, { people, recipients }: Realm): Generator<ArchiveRecord> {
  const id = textOf(value.id)
  switch (name) {
    case 'zerver_reaction':
      return yield leftOut(LEFT_OUT.reactions)
    case 'zerver_userprofile':
    case 'zerver_userprofile_crossrealm':
    case 'zerver_userprofile_mirrordummy': {
      const email = textOf(value.delivery_email) || textOf(value.email)
      const shown = textOf(value.full_name) || email || id
      people.set(id, { id, name: shown, email: email || null, isBot: value.is_bot === true })
      return
    }
    case 'zerver_recipient':
      if (numberOf(value.type) === STREAM) recipients.set(id, textOf(value.type_id))
      return
    case 'zerver_stream':
      return yield {
        kind: 'channel',
        channel: {
          id,
          name: textOf(value.name),
          description: textOf(value.description),
          isPrivate: value.invite_only === true,
          isDirect: false,
        },
      }
  }
}

function messageOf(value: Value, { people, recipients }: Realm, root: string): ArchiveRecord {
  const channelId = recipients.get(textOf(value.recipient))
  if (channelId === undefined) return leftOut(LEFT_OUT.direct)
  const sender = textOf(value.sender)
  const topic = textOf(value.subject).trim()
  const content = textOf(value.content)
  return message({
    id: textOf(value.id),
    channelId,
    at: Math.floor(numberOf(value.date_sent) * 1_000),
    speaker: people.get(sender) ?? { id: sender, name: sender, email: null, isBot: false },
    text: withPlainNames(content),
    isEdited: value.last_edit_time !== null && value.last_edit_time !== undefined,
    thread: topic === '' ? null : `topic ${topic.toLowerCase()}`,
    subject: topic || null,
    files: filesIn(content, root),
  })
}

const UPLOAD = /\[([^\]\n]*)\]\(\/user_uploads\/([^)\s]+)\)/g

/** Uploads, which become files, and mentions of people, groups and channels: `@**Ada|7**`, `#**general>plans**`. */
const withPlainNames = (text: string) =>
  text
    .replace(UPLOAD, '$1')
    .replace(/([@#])_?\*{1,2}([^*|\n]+)(?:\|\d+)?\*{1,2}/g, (_, kind: string, name: string) => kind + name)

/** The uploads that a text links to. */
const filesIn = (text: string, root: string): ArchivedFile[] =>
  Array.from(text.matchAll(UPLOAD), ([, name = '', place = '']) => ({
    name: name || decoded(place.split('/').at(-1) ?? 'file'),
    path: `${root}uploads/${decoded(place)}`,
    url: null,
  }))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
