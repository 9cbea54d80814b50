import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { bearer, type Client } from '@collab-spaces/testing'

export interface HeldRequest {
  /** Sends the rest of the body; the answer, and its detail if it is JSON. */
  finish(): Promise<{ status: number | undefined; text: string; detail: string | undefined }>
}

/** A POST that has begun with a good credential, and whose body is not complete yet. */
export async function hold(
  { url, key }: Client,
  path: string,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Promise<HeldRequest> {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { ...bearer(key), ...more, 'content-length': bytes.length }
  const held = request(url + path, { method: 'POST', headers })
  held.write(bytes.subarray(0, 1))
  await once(held, 'socket')
  return {
    async finish() {
      held.end(bytes.subarray(1))
      const [response] = (await once(held, 'response')) as [IncomingMessage]
      const body = await text(response)
      const { detail } = body.startsWith('{') ? JSON.parse(body) : {}
      return { status: response.statusCode, text: body, detail }
    },
  }
}
