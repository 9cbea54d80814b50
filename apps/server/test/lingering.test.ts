import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { expect, it, onTestFinished } from 'vitest'
import { useServer } from './support/server.js'
import { type Stack, startStack } from './support/stack.js'

/** After invalid input, a client must not keep its connection by leaving its half open. */

const h = useServer()

/** Starts a server without Node's timeouts, which would close the connection, too, up to a minute later. */
async function startWithoutTimeouts(): Promise<Stack> {
  const stack = await startStack(h.connection)
  Object.assign(stack.server, { headersTimeout: 0, requestTimeout: 0 })
  return stack
}

function open({ url }: Stack): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const isClosed = ({ sockets }: Stack) => sockets.length === 1 && sockets.every(({ destroyed }) => destroyed)

it('an invalid chunk of a body closes the connection', async () => {
  const stack = await startWithoutTimeouts()
  const socket = open(stack)
  socket.write('POST /api/actors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('HTTP/1.1 400 ')
  await eventually(() => isClosed(stack))
})

it('a line that is not HTTP closes the connection during a stream', async () => {
  const stack = await startWithoutTimeouts()
  const { ada, path } = await h.adasSpace()
  const socket = open(stack)
  socket.write(`GET ${path}/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('HTTP/1.1 200 ')
  socket.write('hello\r\n\r\n')
  await eventually(() => isClosed(stack))
})

it('an upload may take longer than other requests', async () => {
  const stack = await startStack(h.connection)
  Object.assign(stack.server, { requestTimeout: 1_000 })
  const { ada, client, path } = await h.adasSpace()
  const begin = (target: string) => {
    const socket = open(stack)
    socket.write(`POST ${path}/${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n`)
    socket.write('Content-Length: 2\r\n\r\n{')
    return socket
  }
  const [upload, speech] = [begin('files?name=a'), begin('speech')]
  const [answer] = await once(speech, 'data')
  expect(String(answer)).toContain('HTTP/1.1 408 ')
  await eventually(() => stack.sockets.filter(({ destroyed }) => destroyed).length === 1)
  upload.write('}')
  const [accepted] = await once(upload, 'data')
  expect(String(accepted)).toContain('HTTP/1.1 200 ')
  expect(await client.get(`${path}/files`).expect(200)).toMatchObject([{ name: 'a', size: 2 }])
})
