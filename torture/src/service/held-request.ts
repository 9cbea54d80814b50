import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer, Sent } from './http.js'

/** A POST that has begun with a good credential, and whose body is not complete yet. */
export class HeldRequest {
  readonly #answer: Promise<Answer>

  private constructor(
    private readonly request: ClientRequest,
    private readonly rest: Buffer,
  ) {
    this.#answer = answerTo(request)
    // The caller of `finish` is told.
    this.#answer.catch(() => {})
  }

  static async begin(url: string, { method = 'POST', path, key, body }: Sent): Promise<HeldRequest> {
    const bytes = Buffer.from(JSON.stringify(body))
    const held = request(url + path, {
      agent: false,
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        'content-length': bytes.length,
        // A connection that is made may still wait to be taken: the server says when it has the request.
        expect: '100-continue',
      },
    })
    held.flushHeaders()
    const answered = new HeldRequest(held, bytes.subarray(1))
    await Promise.race([once(held, 'continue'), answered.#answer])
    held.write(bytes.subarray(0, 1))
    return answered
  }

  /** Sends the rest of the body. */
  finish(): Promise<Answer> {
    this.request.end(this.rest)
    return this.#answer
  }
}

async function answerTo(request: ClientRequest): Promise<Answer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}
