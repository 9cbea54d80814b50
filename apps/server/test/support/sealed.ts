import { LogReader, parseCheckpoint, type ReadLog } from '@collab-spaces/merkle'
import { type Client, eventually } from '@collab-spaces/testing'
import { expect } from 'vitest'

/** The key that a server signs with. */
export async function keyOf(client: Client): Promise<string> {
  const { status, text } = await client.get('/log/keys')
  expect(status).toBe(200)
  return text.trim()
}

/** The checkpoint of a history, once so many entries are sealed. */
export async function sealed(client: Client, log: string, size: number, tree = '') {
  const query = tree === '' ? '' : `?tree=${tree}`
  const answer = await eventually(async () => {
    const found = await client.get(`${log}/checkpoint${query}`)
    return found.status === 200 && found.body.size >= size && found.body
  })
  return answer as { readonly checkpoint: string; readonly size: number; readonly origin: string; readonly key: string }
}

/** The log that an export proves. */
export function readLog(text: string | Buffer, key: string, since?: string): ReadLog {
  const reader = new LogReader({ key, since: (since && parseCheckpoint(since)) || undefined })
  reader.push(Buffer.from(text))
  return reader.end()
}

/** The position that is named as the first bad one. */
export function firstBad(text: string | Buffer, key: string, since?: string): number | null | 'none' {
  try {
    readLog(text, key, since)
    return 'none'
  } catch (error) {
    return (error as { readonly position: number | null }).position
  }
}
