import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as a browser receives it. */
export interface PushMessage {
  readonly payload: Readonly<Record<'id' | 'actor_id' | 'title' | 'body' | 'path' | 'latest', string>>
  /** The size of the payload before encryption. */
  readonly bytes: number
  readonly headers: IncomingHttpHeaders
  readonly vapid: Vapid
}

/** The claims of the sender of a message (RFC 8292), verified with the key that they name. */
interface Vapid {
  readonly key: string
  readonly aud: string
  readonly exp: number
  readonly sub: string
}

/** A subscribed browser: its subscription, and the messages that it has received. */
export class TestBrowser {
  readonly received: PushMessage[] = []
  readonly #pair: ECDH = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly #publicKey: Buffer

  constructor(
    readonly endpoint: string,
    readonly name: string,
  ) {
    this.#publicKey = this.#pair.generateKeys()
  }

  get subscription() {
    const keys = { p256dh: this.#publicKey.toString('base64url'), auth: this.#auth.toString('base64url') }
    return { endpoint: this.endpoint, keys, name: this.name }
  }

  /** Decrypts by RFC 8291 and RFC 8188, without the library that encrypts. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const keyLength = body.readUInt8(20)
    const theirs = body.subarray(21, 21 + keyLength)
    const secret = this.#pair.computeSecret(theirs)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#publicKey, theirs])
    const key = hkdfSync('sha256', secret, this.#auth, info, 32)
    const derived = (purpose: string, length: number) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key), salt, `Content-Encoding: ${purpose}\0`, length))
    const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
    const record = body.subarray(21 + keyLength)
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    // The last record ends with a 2, possibly followed by zeros.
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  }
}

/** A real push service, which accepts messages for browsers by the protocol (RFC 8030). */
export class PushService {
  /** Called before a message is accepted; returns the status of a refusal, or undefined. */
  onMessage: (browser: TestBrowser, message: PushMessage) => number | undefined = () => undefined
  readonly #browsers = new Map<string, TestBrowser>()
  readonly #server = createServer(async (request, response) => {
    const status = await this.#take(request).catch(() => 400)
    response.writeHead(status, status === 201 ? { location: `${this.#origin}/messages/${randomUUID()}` } : {}).end()
  })
  #origin = ''

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  get origin(): string {
    return this.#origin
  }

  browser(name: string): TestBrowser {
    const path = `/send/${randomUUID()}`
    const browser = new TestBrowser(`${this.#origin}${path}`, name)
    this.#browsers.set(path, browser)
    return browser
  }

  /** Removes a browser, as when its owner clears the browser's data. */
  forget(browser: TestBrowser): void {
    this.#browsers.delete(new URL(browser.endpoint).pathname)
  }

  async #take(request: IncomingMessage): Promise<number> {
    const browser = this.#browsers.get(request.url ?? '')
    if (!browser) return 410
    const { headers } = request
    if (request.method !== 'POST' || headers['content-encoding'] !== 'aes128gcm') return 400
    if (!/^\d+$/.test(String(headers.ttl))) return 400
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (body.length > 4_096) return 413
    const text = browser.decrypt(body)
    const vapid = vapidIn(headers.authorization ?? '')
    const message = { payload: JSON.parse(text), bytes: Buffer.byteLength(text), headers, vapid }
    const refusal = this.onMessage(browser, message)
    if (refusal !== undefined) return refusal
    browser.received.push(message)
    return 201
  }
}

function vapidIn(authorization: string): Vapid {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', signed, how, Buffer.from(signature, 'base64url'))) throw new Error('not signed')
  return { key, ...JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}
