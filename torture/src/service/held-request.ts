import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer, OutgoingRequest } from './http.js'

/** An authenticated POST whose body is incomplete. */
export class HeldRequest {
  readonly #answer: Promise<Answer>

  private constructor(
    private readonly request: ClientRequest,
    private readonly rest: Buffer,
  ) {
    this.#answer = answerTo(request)
    // The caller of `finish` gets the error.
    this.#answer.catch(() => {})
  }

  static async begin(url: string, { method = 'POST', path, key, body }: OutgoingRequest): Promise<HeldRequest> {
    const bytes = Buffer.from(JSON.stringify(body))
    const held = request(url + path, {
      agent: false,
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        'content-length': bytes.length,
        // An established connection may still be in the backlog. The server reports when it has the request.
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
