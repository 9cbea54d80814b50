import { createECDH } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Push, Pusher } from '@collab-spaces/api'
import { requireAllowedHost, requirePushHost } from '@collab-spaces/domain'
import type { AddressGuard } from '../webhooks/address-guard.js'
import { post } from '../webhooks/post.js'

/** How long a push service keeps a message for a browser that is off, in seconds: as long as any does. */
const KEPT_S = 28 * 86_400
const CODING = 'aes128gcm'
/** Push services answer at once. One that does not has the message again later. */
const TIMEOUT_MS = 5_000
/** Answers of a push service that no longer knows a browser (RFC 8030, 7.3). */
const GONE = [404, 410]
/** The order of P-256: private keys are below it. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const KEY_BYTES = 32

export interface WebPusherOptions {
  /** The same on all servers: 32 bytes. */
  readonly secret: Buffer
  /** The operator, as a push service can reach them (RFC 8292): a URL of https, or of mailto. */
  readonly contact: () => string
  readonly guard: AddressGuard
  /** The push services that messages are sent to. */
  readonly hosts: readonly string[]
}

/** Sends to browsers by Web Push (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292), to push services that the server knows. */
export class WebPusher implements Pusher {
  readonly publicKey: string
  readonly #privateKey: string
  readonly #closing = new AbortController()

  constructor(private readonly options: WebPusherOptions) {
    const scalar = scalarOf(options.secret)
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(scalar)
    this.publicKey = pair.getPublicKey('base64url')
    this.#privateKey = scalar.toString('base64url')
    // Each message under way listens.
    setMaxListeners(0, this.#closing.signal)
  }

  async requireAllowed(endpoint: URL, allowedHosts: readonly string[] | null): Promise<void> {
    const { guard, hosts } = this.options
    requirePushHost(hosts, endpoint)
    requireAllowedHost(allowedHosts, endpoint, 'endpoint')
    await guard.requireAllowed(endpoint, 'endpoint')
  }

  async send({ id, endpoint, allowedHosts, keys, payload }: Push): Promise<'taken' | 'gone'> {
    const { contact, guard, hosts } = this.options
    const url = new URL(endpoint)
    // Settings and policies may have changed since the browser was added.
    requirePushHost(hosts, url)
    requireAllowedHost(allowedHosts, url, 'endpoint')
    // A library that only few servers need: not at their start.
    const { default: webPush } = await import('web-push')
    const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, payload, CODING)
    const signed = webPush.getVapidHeaders(url.origin, contact(), this.publicKey, this.#privateKey, CODING)
    const headers = {
      authorization: signed.Authorization,
      'content-encoding': CODING,
      'content-type': 'application/octet-stream',
      // If it is sent twice while the browser is off, one takes the place of the other: 32 characters at most.
      topic: id.replaceAll('-', ''),
      ttl: String(KEPT_S),
    }
    const { status, error } = await post(
      { url, headers, body: cipherText, timeoutMs: TIMEOUT_MS },
      guard,
      this.#closing.signal,
    )
    if (status !== null && GONE.includes(status)) return 'gone'
    if (error !== null) throw new Error(`a push service did not take a message: ${error}`)
    return 'taken'
  }

  /** Ends what is under way: it is sent again by another server, or after the next start. */
  close(): void {
    this.#closing.abort(new Error('the server is stopping'))
  }
}

/** A secret as a private key. That it wraps around once in four billion times gives nothing away. */
function scalarOf(secret: Buffer): Buffer {
  const scalar = (BigInt(`0x${secret.toString('hex')}`) % (ORDER - 1n)) + 1n
  return Buffer.from(scalar.toString(16).padStart(KEY_BYTES * 2, '0'), 'hex')
}
