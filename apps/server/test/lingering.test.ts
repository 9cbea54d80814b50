import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'

const h = useServer()

it.each([
  ['is not HTTP', 'hello\r\n\r\n'],
  [
    'has a body that is cut into nothing',
    'POST /api/actors HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx',
  ],
])('whoever sent what %s cannot keep the connection by leaving its half open', async (_, bytes) => {
  const stack = await startStack(h.connection)
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(stack.url).port), allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(bytes)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('HTTP/1.1 400 ')
  await eventually(() => stack.sockets.length === 1 && stack.sockets.every(({ destroyed }) => destroyed))
  socket.destroy()
})
