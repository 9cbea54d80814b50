import { sha256 } from './hash.js'
import { openNote, type Signer } from './note.js'

/** The text that is signed under a whole file. It is not like that of a checkpoint: neither passes for the other. */
const sealText = (digest: Buffer) => `collaboration-spaces/file\n${digest.toString('base64')}\n`

/**
 * Signs the hash of all that stands before in a file. Of what the tree does not hold, such as when something was redacted,
 * the server says so itself.
 */
export const seal = (signer: Signer, digest: Buffer): string => signer.sign(sealText(digest))

export const isSealed = (note: string, digest: Buffer, key: string): boolean => openNote(note, key) === sealText(digest)

export const digestOf = (text: string): Buffer => sha256(Buffer.from(text))

/** The value of a JSON text in its one spelling, which ours are in; undefined for any other text. */
export function canonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
