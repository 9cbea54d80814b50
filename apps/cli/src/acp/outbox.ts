import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { lstat, readdir, realpath, rename } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Client, LIMITS, SpacesError } from '@collab-spaces/client'
import { safeName } from '../file/download.js'
import { contentTypeOf } from '../file/upload.js'

/** The directory below that of the agent from which files are handed back. */
const OUTBOX = 'outbox'
/** Added to the name of a directory once its files are posted. */
const SENT = '.sent'

/** How many entries of an outbox are looked at. */
const MAX_ENTRIES = 1_000

/** The files that an agent hands back with one answer: those of a directory that is named after what is answered. */
export interface Outbox {
  readonly cwd: string
  readonly space_id: string
  /** The same events have the same key, also after a crash. */
  readonly key: string
}

/** What was uploaded, and in words what was not. */
export interface HandedBack {
  readonly file_ids: readonly string[]
  readonly names: readonly string[]
  readonly leftOut: string | null
}

/** A file that is left out, and why. */
interface LeftOut {
  readonly path: string
  readonly reason: string
}

/** The directory of an outbox, relative to that in which the agent works. */
export const directoryOf = ({ key }: Pick<Outbox, 'key'>): string => `${OUTBOX}/${key.slice(0, 12)}`

/**
 * Uploads the files of an outbox, by keys that are made of the answer and the content: after a crash, the same ones have the
 * same ids. Links are refused, as they may lead anywhere.
 */
export async function handBack(client: Client, outbox: Outbox, signal: AbortSignal): Promise<HandedBack> {
  const root = await rootOf(outbox)
  if (root === null) return { file_ids: [], names: [], leftOut: null }
  const { paths, leftOut } = await filesIn(root)
  const file_ids: string[] = []
  const names: string[] = []
  for (const path of paths) {
    const name = nameOf(relative(root, path))
    if (file_ids.length === LIMITS.eventFiles) {
      leftOut.push({ path: name, reason: `more than ${LIMITS.eventFiles}` })
      continue
    }
    try {
      const file = await uploaded(client, outbox, path, name, signal)
      // An upload that was deleted since then stays so.
      if (file.deleted_at !== null) continue
      file_ids.push(file.file_id)
      names.push(name)
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === null) throw error
      leftOut.push({ path: name, reason })
    }
  }
  return { file_ids, names, leftOut: inWords(leftOut) }
}

/** The text of an answer with files. Null where nothing is to be said or sent. */
export function textWith(answer: string | null, { names, leftOut }: HandedBack): string | null {
  const text = answer ?? (names.length > 0 ? `Sent ${names.join(', ')}` : null)
  if (text === null || leftOut === null) return text
  const whole = `${text}\n\n${leftOut}`
  return whole.length > LIMITS.text ? text : whole
}

/** Moves an outbox away, whose files are posted. One that stays has a name that no later answer has. */
export async function putAway(outbox: Outbox): Promise<void> {
  const root = await rootOf(outbox)
  if (root !== null) await rename(root, root + SENT).catch(() => {})
}

/** Null where there is none, or something else than a directory of the agent's own. */
async function rootOf(outbox: Outbox): Promise<string | null> {
  const root = join(await realpath(outbox.cwd), directoryOf(outbox))
  return (await realpath(root).catch(() => null)) === root && (await lstat(root)).isDirectory() ? root : null
}

/** The files below a directory, in the order of their paths, without hidden ones. */
async function filesIn(root: string): Promise<{ readonly paths: readonly string[]; readonly leftOut: LeftOut[] }> {
  const directories = [root]
  const paths: string[] = []
  const leftOut: LeftOut[] = []
  let count = 0
  for (const directory of directories) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => null)
    if (!entries) leftOut.push({ path: nameOf(relative(root, directory)), reason: UNREADABLE })
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.') || ++count > MAX_ENTRIES) continue
      const path = join(directory, entry.name)
      if (entry.isFile()) paths.push(path)
      else if (entry.isDirectory()) directories.push(path)
      else leftOut.push({ path: nameOf(relative(root, path)), reason: 'a link, or no file' })
    }
  }
  if (count > MAX_ENTRIES) leftOut.push({ path: `${count - MAX_ENTRIES} entries`, reason: 'too many' })
  return { paths: paths.sort(), leftOut }
}

const nameOf = (path: string) => safeName({ name: path, file_id: 'file' })

async function uploaded(client: Client, { space_id, key }: Outbox, path: string, name: string, signal: AbortSignal) {
  const { size } = await lstat(path)
  const hash = createHash('sha256').update(`${key}\n${path}\n`)
  for await (const piece of opened(path)) hash.update(piece)
  const idempotencyKey = `outbox ${hash.digest('hex')}`
  const options = { name, contentType: contentTypeOf(name), size, signal, idempotencyKey }
  return client.upload(space_id, () => opened(path), options)
}

/** A link that has taken the place of a file is not followed. */
const opened = (path: string) =>
  createReadStream(path, { flags: (constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)) as unknown as string })

const UNREADABLE = 'cannot be read'

/** Why a file is left out: it cannot be read, is too large or empty, or beyond the quota. Null for a passing error. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof SpacesError)) return error instanceof Error && 'syscall' in error ? UNREADABLE : null
  if (error.status === 413) return 'too large'
  return error.status === 400 || error.status === 403 ? error.detail : null
}

function inWords(leftOut: readonly LeftOut[]): string | null {
  if (leftOut.length === 0) return null
  const shown = leftOut.slice(0, 3).map(({ path, reason }) => `${path} (${reason})`)
  const more = leftOut.length > shown.length ? `, and ${leftOut.length - shown.length} more` : ''
  return `Not attached: ${shown.join(', ')}${more}`
}
