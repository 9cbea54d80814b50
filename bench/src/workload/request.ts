/** A request that is sent many times, by wrk or by readers of streams. */
export interface Request {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
}

/** As it goes over the wire. */
export function rawRequest(url: string, { path, method = 'GET', headers, body }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const fields = {
    Host: new URL(url).host,
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}

/** Sends each request once, and gives the answers. Throws at the first that is refused. */
export async function fetchAll<T>(url: string, requests: readonly Request[]): Promise<T[]> {
  const answers: T[] = []
  for (const { path, method = 'GET', headers, body } of requests) {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    answers.push(JSON.parse(text))
  }
  return answers
}
