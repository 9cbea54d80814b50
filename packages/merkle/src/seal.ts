import { sha256 } from './hash.js'
import { openNote, type Signer } from './note.js'

/** The signed text of a file. It cannot be confused with that of a checkpoint. */
const sealText = (digest: Buffer) => `collaboration-spaces/file\n${digest.toString('base64')}\n`

/**
 * Signs the hash of all preceding lines of a file. This covers data outside the tree, such as the time of a redaction.
 */
export const seal = (signer: Signer, digest: Buffer): string => signer.sign(sealText(digest))

export const isSealed = (note: string, digest: Buffer, key: string): boolean => openNote(note, key) === sealText(digest)

export const digestOf = (text: string): Buffer => sha256(Buffer.from(text))

/** Parses a JSON text in canonical form, which all our files have; undefined for any other text. */
export function canonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
