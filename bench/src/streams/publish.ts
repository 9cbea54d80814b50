import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from '../workload/request.js'

const TICK_MS = 2

export interface Pace {
  readonly url: string
  /** Makes the request number n, when it is sent. */
  requestOf(n: number): Request
  readonly perSecond: number
  readonly seconds: number
}

/**
 * Sends requests at an even pace, whether or not those before were answered. All of them must succeed. Resolves to how
 * many were sent.
 */
export async function publish({ url, requestOf, perSecond, seconds }: Pace): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const total = perSecond * seconds
  const begun = performance.now()
  const sending: Promise<void>[] = []
  try {
    while (sending.length < total) {
      const due = Math.min(total, ((performance.now() - begun) / 1_000) * perSecond)
      while (sending.length < due) {
        const answered = send(agent, url, requestOf(sending.length))
        // Awaited below; until then a failure must not end the process.
        answered.catch(() => {})
        sending.push(answered)
      }
      await delay(TICK_MS)
    }
    await Promise.all(sending)
    return total
  } finally {
    agent.destroy()
  }
}

function send(agent: Agent, url: string, { path, method, headers, body }: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    const content = JSON.stringify(body)
    const sent = request(url + path, {
      agent,
      ...(method !== undefined && { method }),
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode = 0 } = response
      response.resume()
      response.on('error', reject)
      response.on('end', () => (statusCode < 300 ? resolve() : reject(new Error(`${method} ${path}: ${statusCode}`))))
    })
    sent.end(content)
  })
}
