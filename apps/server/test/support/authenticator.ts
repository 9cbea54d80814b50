import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Client } from '@collab-spaces/testing'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Encodes the few forms of CBOR that an attestation needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
  }
  throw new Error('no such form is needed')
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

/** An authenticator in software, with one passkey. */
export class Authenticator {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(16)
  /** Its signature counter, as WebAuthn has it. */
  counter = 0
  /** Whether it verifies the user. */
  verifiesUser = true
  #user = ''

  constructor(
    /** The origin of the requesting page. */
    public origin: string,
  ) {}

  /** Returns the answer of a browser that creates a passkey. */
  register({ challenge, rp, user }: Options): Record<string, unknown> {
    this.#user = user?.id ?? ''
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const length = Buffer.from([0, this.id.length])
    const data = Buffer.concat([this.#data(rp?.id ?? '', HAS_CREDENTIAL), Buffer.alloc(16), length, this.id, key])
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    )
    return this.#response({
      clientDataJSON: this.#client('webauthn.create', challenge),
      attestationObject: attestation.toString('base64url'),
    })
  }

  /** Returns the answer of a browser that signs in. */
  sign({ challenge, rpId = '' }: Options): Record<string, unknown> {
    this.counter += 1
    const data = this.#data(rpId, 0)
    const clientDataJSON = this.#client('webauthn.get', challenge)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#response({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#pair.privateKey).toString('base64url'),
      userHandle: this.#user,
    })
  }

  #data(rpId: string, more: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const flags = USER_PRESENT | (this.verifiesUser ? USER_VERIFIED : 0) | more
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }

  #client(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin })).toString('base64url')
  }

  #response(response: object): Record<string, unknown> {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}

/** Adds a passkey to the account of a client. */
export async function addPasskey(client: Client): Promise<Authenticator> {
  const { passkeys } = await client.get('/api/sign-in').expect(200)
  const authenticator = new Authenticator(passkeys.origin)
  const { options } = await client.post('/api/passkeys/begin').expect(200)
  await client.post('/api/passkeys', { name: 'phone', response: authenticator.register(options) }).expect(200)
  return authenticator
}

/** Begins a sign-in, and has it signed. */
export async function signedBy(authenticator: Authenticator, client: Client): Promise<Record<string, unknown>> {
  const { options } = await client.as(undefined).post('/api/sign-in/passkey').expect(200)
  return authenticator.sign(options)
}
