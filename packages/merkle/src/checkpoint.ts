import { BadLog } from './bad-log.js'
import { HASH_BYTES } from './hash.js'
import { openNote } from './note.js'

/** The name of a log, its size in leaves, and the root of its tree at that size. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

/** The identity of a log. */
export interface Origin {
  readonly tenantId: string
  /** Null for the tenant's security log. */
  readonly spaceId: string | null
  readonly tree: 'events' | 'decisions' | 'audit'
  /** Starts at 1. The operator starts the next epoch after restoring a backup. */
  readonly epoch: number
}

const PREFIX = 'collaboration-spaces'

/**
 * Returns the name of a log. It is the same at each installation that its tenant moves to, and changes when its space
 * moves to another tenant.
 */
export const originOf = ({ tenantId, spaceId, tree, epoch }: Origin): string =>
  [PREFIX, tenantId, ...(spaceId === null ? [] : ['spaces', spaceId]), tree, epoch].join('/')

const ORIGIN = new RegExp(`^${PREFIX}/([^/]+)/(?:spaces/([^/]+)/(events|decisions)|(audit))/([1-9]\\d{0,8})$`)

/** Parses the name of a log; null for the name of another system. */
export function parseOrigin(text: string): Origin | null {
  const [, tenantId, spaceId = null, ofSpace, ofTenant, epoch] = ORIGIN.exec(text) ?? []
  const tree = (ofSpace ?? ofTenant) as Origin['tree'] | undefined
  return tenantId && tree ? { tenantId, spaceId, tree, epoch: Number(epoch) } : null
}

/**
 * Returns whether two names belong to one log, in any epoch. A space that moves to another tenant takes its log along.
 * Its entries prove that it is the same log, and not that of another space with this id.
 */
export const isSameLog = (one: Origin, other: Origin): boolean =>
  one.tree === other.tree && one.spaceId === other.spaceId && (one.spaceId !== null || one.tenantId === other.tenantId)

/** Returns the text of a checkpoint in the format of C2SP's `tlog-checkpoint`. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** Parses a checkpoint, from its text or from a signed note; null if malformed. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [, origin, size, encoded = ''] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([^\n]+)\n(?:\n|$)/.exec(text) ?? []
  const root = Buffer.from(encoded, 'base64')
  if (!origin || root.length !== HASH_BYTES || root.toString('base64') !== encoded) return null
  return { origin, size: Number(size), root }
}

/** Returns the checkpoint in a note that this key has signed; null for any other note. */
export function openCheckpoint(note: string, key: string): Checkpoint | null {
  const text = openNote(note, key)
  return text === null ? null : parseCheckpoint(text)
}

/** Returns the checkpoint of a file, and its log. Throws a `BadLog` unless the wanted key has signed it. */
export function requireCheckpoint(file: { readonly checkpoint: string; readonly key: string }, wanted: string) {
  if (file.key !== wanted) throw new BadLog(`it is signed with another key: ${file.key}`)
  const checkpoint = openCheckpoint(file.checkpoint, wanted)
  const origin = checkpoint && parseOrigin(checkpoint.origin)
  if (!checkpoint || !origin) throw new BadLog('its checkpoint is not signed with this key')
  return { checkpoint, origin }
}
