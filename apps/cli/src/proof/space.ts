import type { Client } from '@collab-spaces/client'
import {
  BadLog,
  type Checkpoint,
  type EntryValue,
  LogReader,
  openCheckpoint,
  parseOrigin,
  type ReadLog,
} from '@collab-spaces/merkle'
import { failed } from '../failure.js'
import type { JsonFile } from '../json-file.js'
import { refused } from './file.js'

/** The histories of a space that are sealed. */
export const TREES = ['events', 'decisions'] as const

/** The newest checkpoint of a log that was seen, and the key that has signed it. */
interface Pin {
  readonly key: string
  /** A signed note. */
  readonly note: string
}

/** A server's logs as far as they are known: the key that signs them now, and what was seen of each. */
export interface PinnedServer {
  readonly key: string
  /** By space and history. */
  readonly checkpoints: Readonly<Record<string, Pin>>
}

interface ProofRequest {
  readonly client: Client
  readonly pins: JsonFile<PinnedServer>
  /** The name under which the pins of the account are kept. */
  readonly place: string
  readonly spaceId: string
  /** Whether another key, or a new epoch, is what the operator has told of. */
  readonly acceptsNew: boolean
  /** Told of each entry. */
  onEntry?(entry: EntryValue): void
  /** Told of a key that was taken from the server, as none was known. */
  onFirstKey(key: string): void
  readonly signal: AbortSignal
}

/**
 * Reads all of a space, and checks that it goes on from what this machine has seen of it before, which it then
 * remembers.
 */
export async function verifySpace(request: ProofRequest): Promise<ReadLog[]> {
  const { client, pins, place, spaceId, signal } = request
  const before = (await pins.read())[place]
  const { key } = await client.log.checkpoint.query({ space_id: spaceId }, { signal })
  if (before && before.key !== key && !request.acceptsNew) throw otherKey(key)
  if (!before) request.onFirstKey(key)
  const logs: ReadLog[] = []
  for (const tree of TREES) {
    const name = nameOf(spaceId, tree)
    const since = checkpointIn(name, before?.checkpoints[name])
    const read = (response: Response) => readFrom(request, response, tree, key, since)
    logs.push(await client.rest('log.export', { space_id: spaceId, tree }, { read, signal }))
  }
  const known = await pins.read()
  const own = Object.fromEntries(logs.map(({ origin, note }) => [nameOf(spaceId, origin.tree), { key, note }]))
  await pins.write({ ...known, [place]: { key, checkpoints: { ...known[place]?.checkpoints, ...own } } })
  return logs
}

const nameOf = (spaceId: string, tree: string) => `${spaceId}/${tree}`

async function readFrom(
  { spaceId, acceptsNew, onEntry }: ProofRequest,
  response: Response,
  tree: string,
  key: string,
  since: Checkpoint | undefined,
): Promise<ReadLog> {
  try {
    const reader = new LogReader({ key, since, acceptsNewEpoch: acceptsNew, ...(onEntry && { onEntry }) })
    for await (const piece of response.body ?? [])
      reader.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length))
    const log = reader.end()
    const { tree: foundTree, spaceId: foundSpace } = log.origin
    if (foundTree !== tree || foundSpace !== spaceId) throw new BadLog('it is that of another space')
    return log
  } catch (error) {
    throw refused(nameOf(spaceId, tree), error)
  }
}

/** The pin of what was seen before; undefined if nothing was. A damaged pin must not pass for none. */
function checkpointIn(name: string, pin: Pin | undefined): Checkpoint | undefined {
  if (pin === undefined) return undefined
  const checkpoint = openCheckpoint(pin.note, pin.key)
  if (checkpoint) return checkpoint
  throw failed(
    `What this machine remembers of ${name} is damaged`,
    'Look at checkpoints.json beside your configuration',
  )
}

const otherKey = (key: string) =>
  failed(
    `The server signs with another key than before: ${key}`,
    'If its operator has told you so, run it again with --accept-new',
  )

/** The name of a log for a person. */
export const shownOrigin = (origin: string): string => {
  const { spaceId = null, tree = '' } = parseOrigin(origin) ?? {}
  return spaceId === null ? 'security log' : `${spaceId}, ${tree}`
}
