import { fromMrkdwn, link } from '@collab-spaces/client'
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

/** The lists of conversations in an export, and what is in each. */
const LISTS = [
  { file: 'channels.json', isPrivate: false, isDirect: false },
  { file: 'groups.json', isPrivate: true, isDirect: false },
  { file: 'mpims.json', isPrivate: true, isDirect: true },
  { file: 'dms.json', isPrivate: true, isDirect: true },
] as const

/** Messages that Slack itself writes into a channel. */
const NOTICES =
  /^(channel|group|im|mpim)_|^(pinned_item|unpinned_item|bot_add|bot_remove|bot_enable|bot_disable|reminder_add)$/

/** Reads an export of Slack: lists of channels and people, and a file of messages for each day of a channel. */
export async function* readSlack(archive: Archive, path: string): AsyncGenerator<ArchiveRecord> {
  const list = archive.paths.find((name) => /(^|\/)channels\.json$/.test(name))
  if (list === undefined) throw wrongService(path, 'Slack', 'channels.json')
  const root = list.slice(0, -'channels.json'.length)
  const people = await peopleOf(archive, `${root}users.json`)
  const channels = new Map<string, Channel>()
  for (const { file, ...kind } of LISTS) {
    if (!archive.has(root + file)) continue
    for await (const { value } of jsonParts(await archive.read(root + file), root + file)) {
      const { folder, channel } = channelOf(objectOf(value), kind, people)
      channels.set(folder, channel)
      yield { kind: 'channel', channel }
    }
  }
  const names = new Map([...channels.values()].map(({ id, name }) => [id, name]))
  for (const day of archive.paths.filter((name) => name.startsWith(root)).sort()) {
    const [folder = '', file = '', more] = day.slice(root.length).split('/')
    const channel = channels.get(folder)
    if (!channel || !/^\d{4}-\d\d-\d\d\.json$/.test(file) || more !== undefined) continue
    for await (const { value } of jsonParts(await archive.read(day), day)) {
      yield* messageOf(objectOf(value), channel, people, names)
    }
  }
}

async function peopleOf(archive: Archive, path: string): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>()
  if (!archive.has(path)) return people
  for await (const { value } of jsonParts(await archive.read(path), path)) {
    const { id, name, real_name, is_bot, profile } = objectOf(value)
    const { display_name, real_name: profileName, email } = objectOf(profile)
    const shown = [display_name, real_name, profileName, name, id].map(textOf).find((text) => text.trim() !== '')
    people.set(textOf(id), { id: textOf(id), name: shown ?? '', email: textOf(email) || null, isBot: is_bot === true })
  }
  return people
}

function channelOf(
  value: Value,
  kind: Pick<Channel, 'isPrivate' | 'isDirect'>,
  people: ReadonlyMap<string, Person>,
): { folder: string; channel: Channel } {
  const [id, name] = [textOf(value.id), textOf(value.name)]
  const members = listOf(value.members).map((member) => people.get(textOf(member))?.name ?? textOf(member))
  const purpose = textOf(objectOf(value.purpose).value) || textOf(objectOf(value.topic).value)
  const description = fromMrkdwn(withNames(purpose, people, new Map()))
  const shown = kind.isDirect ? members.join(', ') : name
  return { folder: name || id, channel: { id, name: shown || id, description, ...kind } }
}

function* messageOf(
  value: Value,
  channel: Channel,
  people: ReadonlyMap<string, Person>,
  names: ReadonlyMap<string, string>,
): Generator<ArchiveRecord> {
  const subtype = textOf(value.subtype)
  if (NOTICES.test(subtype)) return yield leftOut(LEFT_OUT.notices)
  const [id, root] = [textOf(value.ts), textOf(value.thread_ts)]
  const reactions = countOf(value.reactions)
  if (reactions > 0) yield leftOut(LEFT_OUT.reactions, reactions)
  const markdown = (text: string) => fromMrkdwn(withNames(text, people, names))
  const text = markdown(textOf(value.text))
  yield message({
    id,
    channelId: channel.id,
    at: Math.floor(Number(id) * 1_000),
    speaker: speakerOf(value, people),
    text: [
      subtype === 'me_message' ? `_${text}_` : text,
      ...listOf(value.attachments).map((one) => attachment(objectOf(one), markdown)),
    ]
      .filter((part) => part.trim() !== '')
      .join('\n\n'),
    isEdited: value.edited !== undefined && value.edited !== null,
    thread: root === '' ? null : root,
    files: listOf(value.files).map((file) => fileOf(objectOf(file))),
  })
}

function speakerOf(value: Value, people: ReadonlyMap<string, Person>): Person {
  const id = textOf(value.user)
  const known = people.get(id)
  if (known) return known
  const name =
    textOf(value.username) || textOf(objectOf(value.user_profile).real_name) || textOf(objectOf(value.bot_profile).name)
  const isBot = id === ''
  const bot = textOf(value.bot_id) || name || 'bot'
  return { id: isBot ? bot : id, name: name || (isBot ? bot : id), email: null, isBot }
}

/** Gives the IDs of people and channels their names, which the converter of the markup keeps. */
function withNames(text: string, people: ReadonlyMap<string, Person>, names: ReadonlyMap<string, string>): string {
  return text.replace(/<([@#])([A-Z0-9]+)(?:\|([^>]*))?>/g, (_, kind: string, id: string, label = '') => {
    const name = kind === '@' ? (people.get(id)?.name ?? label) : names.get(id) || label
    return `<${kind}${(name || id).replace(/[<>|\n]/g, ' ')}>`
  })
}

function attachment(value: Value, markdown: (text: string) => string): string {
  const title = link(textOf(value.title), textOf(value.title_link))
  const parts = [markdown(textOf(value.pretext)), title && `**${title}**`, markdown(textOf(value.text))]
  return parts.filter(Boolean).join('\n\n') || markdown(textOf(value.fallback))
}

/** The address that opens for those who may see the file: the others have a key to it, which is not passed on. */
function fileOf(value: Value): ArchivedFile {
  const url = textOf(value.permalink) || textOf(value.url_private)
  const name = textOf(value.name) || textOf(value.title) || 'file'
  return { name, path: null, url: url === '' ? null : url.replace(/[?#].*$/, '') }
}
