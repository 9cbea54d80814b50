import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type OutgoingRequest, send } from './http.js'

const AGAIN_AFTER_MS = 50

/** Sends a request to one server after the other until one of them answers. */
export async function insist(urls: readonly string[], sent: OutgoingRequest): Promise<Answer> {
  for (let n = 0; ; n++) {
    const answer = await send(urls[n % urls.length] as string, sent).catch(() => null)
    if (answer && answer.status < 500 && answer.status !== 429) return answer
    await delay(AGAIN_AFTER_MS)
  }
}

/** Repeats a request until it is answered, which must be with 200. */
export async function insistOn<T>(urls: readonly string[], sent: OutgoingRequest): Promise<T> {
  const { status, text } = await insist(urls, sent)
  if (status !== 200) throw new Error(`${sent.method ?? ''} ${sent.path}: ${status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}
