import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { bearer, type Client } from '@collab-spaces/testing'

export interface HeldRequest {
  /** Sends the rest of the body; the status and the detail of the answer. */
  finish(): Promise<{ status: number | undefined; detail: string | undefined }>
}

/** A POST that has begun with a good credential, and whose body is not complete yet. */
export async function hold({ url, key }: Client, path: string, body: object): Promise<HeldRequest> {
  const bytes = Buffer.from(JSON.stringify(body))
  const held = request(url + path, { method: 'POST', headers: { ...bearer(key), 'content-length': bytes.length } })
  held.write(bytes.subarray(0, 1))
  await once(held, 'socket')
  return {
    async finish() {
      held.end(bytes.subarray(1))
      const [response] = (await once(held, 'response')) as [IncomingMessage]
      return { status: response.statusCode, detail: JSON.parse(await text(response)).detail }
    },
  }
}
