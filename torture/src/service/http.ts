import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** The timeout of an answer, which then counts as lost. */
const PATIENCE_MS = 15_000

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

export interface OutgoingRequest {
  readonly method?: string
  readonly path: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends one request. Rejects on a broken connection or a timeout; the outcome is then unknown. */
export function send(url: string, { method, path, key, headers, body }: OutgoingRequest): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Sends a request that must return 200. Returns the parsed answer. */
export async function must<T>(url: string, sent: OutgoingRequest): Promise<T> {
  const { status, text } = await send(url, sent)
  if (status !== 200) throw new Error(`${sent.method ?? ''} ${sent.path}: ${status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}
