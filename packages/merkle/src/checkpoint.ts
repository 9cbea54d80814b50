import { BadLog } from './bad-log.js'
import { HASH_BYTES } from './hash.js'
import { openNote } from './note.js'

/** A checkpoint: the log of this name has so many leaves, and its tree then has this root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

/** The log that a checkpoint is of. */
export interface Origin {
  readonly tenantId: string
  /** Null for the security log of the tenant. */
  readonly spaceId: string | null
  readonly tree: 'events' | 'decisions' | 'audit'
  /** Begins at 1. The operator begins another one after a restored backup. */
  readonly epoch: number
}

const PREFIX = 'collaboration-spaces'

/** The name of a log: the same at every installation that its tenant moves to, and another one when its space moves to another tenant. */
export const originOf = ({ tenantId, spaceId, tree, epoch }: Origin): string =>
  [PREFIX, tenantId, ...(spaceId === null ? [] : ['spaces', spaceId]), tree, epoch].join('/')

const ORIGIN = new RegExp(`^${PREFIX}/([^/]+)/(?:spaces/([^/]+)/(events|decisions)|(audit))/([1-9]\\d{0,8})$`)

/** The log of a name; null if it is none of ours. */
export function parseOrigin(text: string): Origin | null {
  const [, tenantId, spaceId = null, ofSpace, ofTenant, epoch] = ORIGIN.exec(text) ?? []
  const tree = (ofSpace ?? ofTenant) as Origin['tree'] | undefined
  return tenantId && tree ? { tenantId, spaceId, tree, epoch: Number(epoch) } : null
}

/**
 * Whether two names are of one log, in whatever epoch. A space that moved to another tenant took its log along: that it is
 * the same one, and not that of another space of this id, its entries prove.
 */
export const isSameLog = (one: Origin, other: Origin): boolean =>
  one.tree === other.tree && one.spaceId === other.spaceId && (one.spaceId !== null || one.tenantId === other.tenantId)

/** The text of a checkpoint, as C2SP's `tlog-checkpoint` has it. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** The checkpoint in its text, or in that of a note; null if there is none. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [, origin, size, encoded = ''] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([^\n]+)\n(?:\n|$)/.exec(text) ?? []
  const root = Buffer.from(encoded, 'base64')
  if (!origin || root.length !== HASH_BYTES || root.toString('base64') !== encoded) return null
  return { origin, size: Number(size), root }
}

/** The checkpoint in a note that this key has signed; null for any other note. */
export function openCheckpoint(note: string, key: string): Checkpoint | null {
  const text = openNote(note, key)
  return text === null ? null : parseCheckpoint(text)
}

/** The checkpoint of a file of ours, and its log. Throws a `BadLog` unless the wanted key has signed it. */
export function requireCheckpoint(file: { readonly checkpoint: string; readonly key: string }, wanted: string) {
  if (file.key !== wanted) throw new BadLog(`it is signed with another key: ${file.key}`)
  const checkpoint = openCheckpoint(file.checkpoint, wanted)
  const origin = checkpoint && parseOrigin(checkpoint.origin)
  if (!checkpoint || !origin) throw new BadLog('its checkpoint is not signed with this key')
  return { checkpoint, origin }
}
