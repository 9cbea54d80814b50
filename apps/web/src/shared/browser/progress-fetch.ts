import type { Fetch, FetchInit } from '@collab-spaces/client'

/** How long an upload may stand still before its connection counts as broken. */
const STALL_MS = 45_000

/**
 * Returns a `fetch` that reports how many bytes of the body were sent. No browser reports that of `fetch`, and not all
 * take a stream as its body.
 */
export const progressFetch =
  (onProgress: (sent: number) => void): Fetch =>
  (url, init) =>
    new Promise((resolve, reject) => {
      const request = requestFor(url, init)
      let timer: ReturnType<typeof setTimeout>
      const advance = () => {
        clearTimeout(timer)
        timer = setTimeout(() => request.abort(), STALL_MS)
      }
      const leave = () => request.abort()
      init.signal?.addEventListener('abort', leave)
      request.upload.onprogress = ({ loaded }) => {
        advance()
        onProgress(loaded)
      }
      request.onload = () => resolve(responseOf(request))
      request.onerror = () => reject(new TypeError('the connection broke'))
      request.onabort = () => reject(init.signal?.reason ?? new TypeError('the connection stands still'))
      request.onloadend = () => {
        clearTimeout(timer)
        init.signal?.removeEventListener('abort', leave)
      }
      advance()
      // The client streams no body in browsers.
      request.send((init.body as XMLHttpRequestBodyInit | undefined) ?? null)
    })

function requestFor(url: string, { method = 'GET', headers = {} }: FetchInit): XMLHttpRequest {
  const request = new XMLHttpRequest()
  request.open(method, url)
  request.responseType = 'arraybuffer'
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  return request
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at), line.slice(at + 1).trim()]
  })
  return new Response(request.response as ArrayBuffer, { status: request.status, headers })
}
