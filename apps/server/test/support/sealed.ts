import { LogReader, parseCheckpoint, type ReadLog } from '@collab-spaces/merkle'
import { type Client, eventually } from '@collab-spaces/testing'
import { expect } from 'vitest'

/** Returns the public key that a server signs with. */
export async function keyOf(client: Client): Promise<string> {
  const { status, text } = await client.get('/log/keys')
  expect(status).toBe(200)
  return text.trim()
}

/** Returns the checkpoint of a history once this many entries are sealed. */
export async function sealed(client: Client, log: string, size: number, tree = '') {
  const query = tree === '' ? '' : `?tree=${tree}`
  const answer = await eventually(async () => {
    const found = await client.get(`${log}/checkpoint${query}`)
    return found.status === 200 && found.body.size >= size && found.body
  })
  return answer as { readonly checkpoint: string; readonly size: number; readonly origin: string; readonly key: string }
}

/** Verifies an export, and returns its log. */
export function readLog(text: string | Buffer, key: string, since?: string): ReadLog {
  const reader = new LogReader({ key, since: (since && parseCheckpoint(since)) || undefined })
  reader.push(Buffer.from(text))
  return reader.end()
}

/** Returns the position that is reported as the first invalid one. */
export function firstBad(text: string | Buffer, key: string, since?: string): number | null | 'none' {
  try {
    readLog(text, key, since)
    return 'none'
  } catch (error) {
    return (error as { readonly position: number | null }).position
  }
}
