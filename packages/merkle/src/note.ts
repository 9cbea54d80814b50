import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from './hash.js'

/** The name of all keys of this product. Their hash identifies the installation. */
const KEY_NAME = 'collaboration-spaces'

/** The DER headers before the 32 bytes of an Ed25519 key. */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32
/** The signature type of Ed25519 in a signed note. */
const ED25519 = 1
const ID_BYTES = 4
const SIGNATURE_BYTES = 64

const idOf = (name: string, publicKey: Buffer) =>
  sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey])).subarray(0, ID_BYTES)

/** Signs notes in the format of C2SP's `signed-note`, with Ed25519. */
export class Signer {
  /** The public key in the format of verifiers: `name+hash+key`. */
  readonly key: string
  readonly #private: KeyObject
  readonly #id: Buffer

  /** `seed` is a secret of 32 bytes. */
  constructor(seed: Buffer) {
    this.#private = createPrivateKey({ key: Buffer.concat([PRIVATE_DER, seed]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(this.#private).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_DER.length)
    this.#id = idOf(KEY_NAME, publicKey)
    const encoded = Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')
    this.key = `${KEY_NAME}+${this.#id.toString('hex')}+${encoded}`
  }

  /** Returns a text, which must end with a line break, with its signature. */
  sign(text: string): string {
    const signature = Buffer.concat([this.#id, sign(null, Buffer.from(text), this.#private)])
    return `${text}\n— ${KEY_NAME} ${signature.toString('base64')}\n`
  }
}

/** Parses the public key of a signed note; null if malformed. */
function keyOf(text: string) {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  if (!name || !id || !encoded) return null
  const bytes = Buffer.from(encoded, 'base64')
  const publicKey = bytes.subarray(1)
  if (bytes.toString('base64') !== encoded || bytes.length !== KEY_BYTES + 1 || bytes[0] !== ED25519) return null
  const own = idOf(name, publicKey)
  if (own.toString('hex') !== id) return null
  return {
    name,
    id: own,
    key: createPublicKey({ key: Buffer.concat([PUBLIC_DER, publicKey]), format: 'der', type: 'spki' }),
  }
}

export const isKey = (text: string): boolean => keyOf(text) !== null

/** Returns the text of a note with exactly one signature, by this key; null for any other note. */
export function openNote(note: string, publicKey: string): string | null {
  const key = keyOf(publicKey)
  const end = note.lastIndexOf('\n\n')
  if (!key || end === -1) return null
  const text = note.slice(0, end + 1)
  const [, name, encoded = ''] = /^— (\S+) (\S+)\n$/.exec(note.slice(end + 2)) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  const isOurs =
    name === key.name && bytes.toString('base64') === encoded && bytes.length === ID_BYTES + SIGNATURE_BYTES
  if (!isOurs || !bytes.subarray(0, ID_BYTES).equals(key.id)) return null
  return verify(null, Buffer.from(text), key.key, bytes.subarray(ID_BYTES)) ? text : null
}
