import { createECDH } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Push, Pusher } from '@collab-spaces/api'
import { requireAllowedHost, requirePushHost } from '@collab-spaces/domain'
import type { AddressGuard } from '../webhooks/address-guard.js'
import { post } from '../webhooks/post.js'

/** TTL of a message for an offline browser, in seconds: the longest that push services keep. */
const KEPT_S = 28 * 86_400
const CODING = 'aes128gcm'
/** Timeout of push services, which respond at once. A late one is retried. */
const TIMEOUT_MS = 5_000
/** Statuses for an unknown subscription (RFC 8030, 7.3). */
const GONE = [404, 410]
/** The order of P-256: private keys are below it. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const KEY_BYTES = 32

export interface WebPusherOptions {
  /** The secret of the key pair, the same on all instances: 32 bytes. */
  readonly secret: Buffer
  /** The operator's contact for push services (RFC 8292): an https or mailto URL. */
  readonly contact: () => string
  readonly guard: AddressGuard
  /** The allowed push services. */
  readonly hosts: readonly string[]
}

/** Sends Web Push messages (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292), to allowed push services. */
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
    // Each message in flight adds a listener.
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
    // Loaded on first use, as few servers need it.
    const { default: webPush } = await import('web-push')
    const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, payload, CODING)
    const signed = webPush.getVapidHeaders(url.origin, contact(), this.publicKey, this.#privateKey, CODING)
    const headers = {
      authorization: signed.Authorization,
      'content-encoding': CODING,
      'content-type': 'application/octet-stream',
      // Replaces a duplicate for an offline browser. At most 32 characters.
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

  /** Aborts messages in flight. Another instance, or the next start, sends them again. */
  close(): void {
    this.#closing.abort(new Error('the server is stopping'))
  }
}

/** Returns a secret as a private key. The modulo bias of one in four billion reveals nothing. */
function scalarOf(secret: Buffer): Buffer {
  const scalar = (BigInt(`0x${secret.toString('hex')}`) % (ORDER - 1n)) + 1n
  return Buffer.from(scalar.toString(16).padStart(KEY_BYTES * 2, '0'), 'hex')
}
