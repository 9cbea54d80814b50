interface RawRequest {
  readonly method?: string | undefined
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/** Returns a request in the wire format of HTTP/1.1. */
export function rawRequest(host: string, { path, headers, body, method }: RawRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const fields = {
    Host: host,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}
