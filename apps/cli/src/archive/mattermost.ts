import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { failed } from '../failure.js'
import { parsed } from '../json-file.js'
import { linesOf, textOf as lineText } from '../transfer/lines.js'
import type { Archive } from './archive.js'
import { type ArchivedFile, type ArchiveRecord, leftOut, message, type Person, wrongService } from './record.js'
import { countOf, LEFT_OUT, listOf, numberOf, objectOf, textOf, type Value } from './value.js'

/** A post with its replies. Far above what a server exports. */
const LONGEST = { bytes: 32 * 1024 * 1024, otherwise: 'longer than any post with its replies' }

/** Reads a bulk export of Mattermost: lines of JSON, alone or in a zip archive with the files. */
export async function* readMattermost(archive: Archive, path: string): AsyncGenerator<ArchiveRecord> {
  const name = archive.paths.find((one) => /^[^/]*\.jsonl$/.test(one)) ?? onlyOne(archive.paths)
  if (name === undefined) throw wrongService(path, 'Mattermost', 'a file of lines, .jsonl')
  const people = new Map<string, Person>()
  for await (const line of linesOf(await archive.read(name), LONGEST)) {
    const text = lineText(line).trim()
    if (text === '') continue
    const value = objectOf(parsed(text))
    const type = textOf(value.type)
    if (type === '') throw failed(`${name}, line ${line.number}: not a line of an export`, 'Get the export again')
    if (line.number === 1 && type !== 'version') throw wrongService(path, 'Mattermost', 'a version in its first line')
    yield* recordsOf(type, objectOf(value[type]), people, archive)
  }
}

const onlyOne = (paths: readonly string[]) => (paths.length === 1 ? paths[0] : undefined)

function* recordsOf(
  type: string,
  value: Value,
  people: Map<string, Person>,
  archive: Archive,
): Generator<ArchiveRecord> {
  switch (type) {
    case 'channel': {
      const name = textOf(value.display_name) || textOf(value.name)
      const description = textOf(value.purpose) || textOf(value.header)
      const id = `${textOf(value.team)}/${textOf(value.name)}`
      const isPrivate = textOf(value.type) !== 'O'
      return yield { kind: 'channel', channel: { id, name, description, isPrivate, isDirect: false } }
    }
    case 'user':
    case 'bot':
      people.set(textOf(value.username), personOf(value, type === 'bot'))
      return
    case 'direct_channel': {
      const id = directId(value.members)
      const name = id.split(',').map((member) => people.get(member)?.name ?? member)
      const channel = { id, name: name.join(', '), description: '', isPrivate: true, isDirect: true }
      return yield { kind: 'channel', channel }
    }
    case 'post':
      return yield* postOf(value, `${textOf(value.team)}/${textOf(value.channel)}`, people, archive)
    case 'direct_post':
      return yield* postOf(value, directId(value.channel_members), people, archive)
  }
}

const directId = (members: unknown) => listOf(members).map(textOf).sort().join(',')

function personOf(value: Value, isBot: boolean): Person {
  const whole = [value.first_name, value.last_name].map(textOf).filter(Boolean).join(' ')
  const id = textOf(value.username)
  const name = textOf(value.nickname) || textOf(value.display_name) || whole || id
  return { id, name, email: textOf(value.email) || null, isBot }
}

function* postOf(
  value: Value,
  channelId: string,
  people: ReadonlyMap<string, Person>,
  archive: Archive,
): Generator<ArchiveRecord> {
  const replies = listOf(value.replies).map(objectOf)
  const root = idOf(value)
  for (const post of [value, ...replies]) {
    if (textOf(post.type).startsWith('system_')) {
      yield leftOut(LEFT_OUT.notices)
      continue
    }
    const reactions = countOf(post.reactions)
    if (reactions > 0) yield leftOut(LEFT_OUT.reactions, reactions)
    const user = textOf(post.user)
    yield message({
      id: idOf(post),
      channelId,
      at: numberOf(post.create_at),
      speaker: people.get(user) ?? { id: user, name: user, email: null, isBot: false },
      text: textOf(post.message),
      isEdited: numberOf(post.edit_at) > 0,
      thread: replies.length > 0 ? root : null,
      files: listOf(post.attachments).map((one) => fileOf(textOf(objectOf(one).path), archive)),
    })
  }
}

/** An export has no IDs: Mattermost itself knows a post by these values. */
const idOf = ({ user, create_at, message: text }: Value) =>
  `${textOf(create_at)}:${textOf(user)}:${hash('sha256', textOf(text)).slice(0, 16)}`

const fileOf = (path: string, archive: Archive): ArchivedFile => ({
  name: basename(path),
  path: archive.has(path) ? path : `data/${path}`,
  url: null,
})
