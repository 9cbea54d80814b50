import { connect, type Socket } from 'node:net'
import { rawRequest as bytesOf } from '@collab-spaces/testing/programs'
import type { OutgoingRequest } from './http.js'

/** Raw requests, for clients that behave as no library would. */

export const rawRequest = ({ key, headers, ...sent }: OutgoingRequest): string =>
  bytesOf('localhost', {
    ...sent,
    headers: { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...headers },
  })

/** Opens a connection that sends these bytes. */
export function open(url: string, bytes: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

/** Opens a connection that sends a request and never reads the answer. */
export function unread(url: string, request: OutgoingRequest, times = 1): Socket {
  return open(url, rawRequest(request).repeat(times)).pause()
}

const PATIENCE_MS = 10_000

/** Reads everything until the server closes the connection. Rejects on a timeout. */
export function exchange(url: string, bytes: string): Promise<string> {
  const socket = open(url, bytes)
  return new Promise((resolve, reject) => {
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`nothing more after ${PATIENCE_MS} ms, and before: ${text}`))
    }, PATIENCE_MS)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => {
      clearTimeout(late)
      resolve(text)
    })
  })
}
