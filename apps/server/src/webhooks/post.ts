import type { IncomingMessage } from 'node:http'
import { databaseClock } from '@collab-spaces/db'
import { retryAfterMs } from '@collab-spaces/domain'
import { version } from '../version.js'
import type { AddressGuard } from './address-guard.js'
import { explainFailure, guardedRequest } from './guarded-request.js'

/** The outcome of a request. */
export interface Outcome {
  /** The status of the response; null without one. */
  readonly status: number | null
  /** Why it failed, for humans; null on success. */
  readonly error: string | null
  /** The beginning of the response body. Never shown, as it may come from any server. */
  readonly text: string
  /** The `Retry-After` of the receiver, if any. */
  readonly retryAfterMs: number | null
}

export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** JSON, unless the headers say otherwise. */
  readonly body: string | Buffer
  /** Timeout of the whole request; 15 seconds by default. */
  readonly timeoutMs?: number
}

/** The `User-Agent` of the server. */
const USER_AGENT = `collaboration-spaces/${version}`

const DEFAULT_TIMEOUT_MS = 15_000
/** Timeout of the body, of which only the beginning is needed. */
const BODY_TIMEOUT_MS = 1_000
const MAX_READ = 4_096

/** Sends one request without following redirects. Rejects only on abort. */
export async function post(
  { url, headers, body, timeoutMs = DEFAULT_TIMEOUT_MS }: Posting,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Outcome> {
  const ending = new AbortController()
  const stop = () => ending.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const overdue = setTimeout(() => ending.abort(new Overdue(timeoutMs)), timeoutMs)
  try {
    const answer = await answerTo({ url, headers, body }, guard, ending.signal)
    return outcomeOf(answer, await beginningOf(answer))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const reason = ending.signal.aborted ? ending.signal.reason : error
    return {
      status: null,
      error: reason instanceof Overdue ? reason.message : explainFailure(reason),
      text: '',
      retryAfterMs: null,
    }
  } finally {
    clearTimeout(overdue)
    signal.removeEventListener('abort', stop)
  }
}

class Overdue extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs / 1_000} seconds`)
  }
}

function answerTo({ url, headers, body }: Posting, guard: AddressGuard, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const own = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
    const sent = { ...own, ...headers, 'content-length': bytes.length }
    const request = guardedRequest(url, { method: 'POST', headers: sent, signal }, guard)
    request.once('error', reject)
    request.once('response', resolve)
    request.end(bytes)
  })
}

/** Reads the beginning of a response, without which some servers log an error, and closes the connection. */
function beginningOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let read = 0
    const end = () => {
      clearTimeout(overdue)
      answer.destroy()
      resolve(Buffer.concat(chunks).toString())
    }
    const overdue = setTimeout(end, BODY_TIMEOUT_MS)
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, MAX_READ - read))
      read += chunk.length
      if (read > MAX_READ) end()
    })
    answer.once('end', end)
    answer.once('error', end)
    answer.once('close', end)
  })
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, text: string): Outcome {
  const isTaken = statusCode >= 200 && statusCode < 300
  const isRedirect = statusCode >= 300 && statusCode < 400
  const refusal = isRedirect ? `Answered ${statusCode}: redirects are not followed` : `Answered ${statusCode}`
  return {
    status: statusCode,
    error: isTaken ? null : refusal,
    text,
    retryAfterMs: isTaken ? null : retryAfterMs(headers['retry-after'], databaseClock.now()),
  }
}
