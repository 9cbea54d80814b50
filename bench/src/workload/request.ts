/** A request that wrk or stream readers send many times. */
export interface Request {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
}

/** Sends each request once, and returns the answers. Throws at the first refusal. */
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
