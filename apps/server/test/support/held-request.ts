import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { bearer, type Client } from '@collab-spaces/testing'

export interface HeldRequest {
  /** Sends the rest of the body, and returns the answer, with its detail if it is JSON. */
  finish(): Promise<{ status: number | undefined; text: string; detail: string | undefined }>
}

/** Begins a POST with a valid credential and an incomplete body. */
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
