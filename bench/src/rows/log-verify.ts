import { createHash } from 'node:crypto'
import {
  checkpointText,
  endLine,
  Frontier,
  headerLine,
  LogReader,
  leafHash,
  markOf,
  originOf,
  Signer,
  seal,
  TILE,
  TILE_HEIGHT,
  tailLine,
  tileLine,
} from '@collab-spaces/merkle'
import type { Row } from '../row.js'

const ENTRIES = 200_000
/** The size of an event with two sentences. */
const WIRE_BYTES = 600
const NONCE = 'a1'.repeat(16)
/** The chunk size of the command. */
const PIECE_BYTES = 1024 * 1024

export const logVerify: Row = {
  name: 'log-verify',
  title: 'check an exported log',
  about: `An exported log of ${ENTRIES.toLocaleString('en')} events of ${WIRE_BYTES} bytes, checked as \`spaces log verify\` does, from memory.`,
  tools: [],
  claims: [
    {
      measured: 'events of an exported log that are checked',
      side: 'verifier',
      figure: 'perSecond',
      bound: 'at least',
      unit: '/s',
      must: 200_000,
      aim: 300_000,
    },
  ],
  async service() {
    const signer = new Signer(Buffer.alloc(32, 7))
    const log = logOf(ENTRIES, signer)
    const verifier = async () => {
      const began = performance.now()
      const reader = new LogReader({ key: signer.key })
      for (let at = 0; at < log.length; at += PIECE_BYTES) reader.push(log.subarray(at, at + PIECE_BYTES))
      reader.end()
      return { perSecond: ENTRIES / ((performance.now() - began) / 1_000) }
    }
    return { measures: { verifier } }
  },
}

/** Returns a log in the export format. */
function logOf(entries: number, signer: Signer): Buffer {
  const lines: string[] = []
  const frontier = new Frontier()
  let marks: Buffer[] = []
  for (let position = 1; position <= entries; position++) {
    const wire = JSON.stringify({ event_id: position, space_id: 'plans', text: 'x'.repeat(WIRE_BYTES) }).slice(
      -WIRE_BYTES,
    )
    const line = `{"nonce":"${NONCE}","entry":${wire}}`
    const leaf = leafHash(Buffer.from(line))
    lines.push(`${line}\n`)
    marks.push(markOf(leaf))
    frontier.append(leaf, (height, index, hash) => {
      if (height !== TILE_HEIGHT) return
      lines.push(tileLine(index, hash, Buffer.concat(marks)))
      marks = []
    })
  }
  if (entries % TILE !== 0) lines.push(tailLine(Buffer.concat(marks)))
  const origin = originOf({ tenantId: 'tenant', spaceId: 'plans', tree: 'events', epoch: 1 })
  const checkpoint = signer.sign(checkpointText({ origin, size: entries, root: frontier.root }))
  const text = headerLine({ after: 0, frontier: [], checkpoint, key: signer.key }) + lines.join('')
  return Buffer.from(text + endLine(seal(signer, createHash('sha256').update(text).digest())))
}
