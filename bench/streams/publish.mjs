import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom, text } from '@collab-spaces/testing/history'
import { stamp } from './stamp.mjs'

/** @import { Request } from '../wrk.mjs' */

const TICK_MS = 2
const saying = text(seededRandom(17))

/** A text of the usual length that tells when it was sent. */
export const stampedText = () => `${stamp()} ${saying}`.slice(0, 300)

/**
 * Sends requests at an even pace, whether or not those before were answered. All of them must succeed.
 * @param {object} pace
 * @param {string} pace.url
 * @param {(n: number) => Request} pace.requestOf Made when it is sent.
 * @param {number} pace.perSecond
 * @param {number} pace.seconds
 * @returns {Promise<number>} How many were sent.
 */
export async function publish({ url, requestOf, perSecond, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const total = perSecond * seconds
  const begun = performance.now()
  /** @type {Promise<void>[]} */
  const sending = []
  try {
    while (sending.length < total) {
      const due = Math.min(total, ((performance.now() - begun) / 1_000) * perSecond)
      while (sending.length < due) {
        const answered = send(agent, url, requestOf(sending.length))
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

/** @param {Agent} agent @param {string} url @param {Request} what @returns {Promise<void>} */
function send(agent, url, { path, method, headers, body }) {
  return new Promise((resolve, reject) => {
    const content = JSON.stringify(body)
    const sent = request(url + path, {
      agent,
      method,
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
