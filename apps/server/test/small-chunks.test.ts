import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { answersIn, expectRefusal, untilClosed } from './support/raw.js'
import { useServer } from './support/server.js'
import { type Stack, startStack } from './support/stack.js'

/** Bodies in chunks so small that their overhead exceeds their content. */

const h = useServer()

/** Larger than one socket read if each letter is a chunk. */
const TEXT = Array.from({ length: 24_000 }, (_, n) => n.toString(36).at(-1)).join('')

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const cut = (text: string, size: number) =>
  text
    .match(new RegExp(`.{1,${size}}`, 'gs'))
    ?.map(chunk)
    .join('') ?? ''

const speech = (path: string, body: string, key?: string) =>
  `POST ${path}/speech HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n` +
  `${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n${body}0\r\n\r\n`

function send({ url }: Stack, bytes: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

it('a body in thousands of chunks of a byte is refused, and its connection ends', async () => {
  const stack = await startStack(h.connection)
  const { ada, path } = await h.adasSpace()
  const sent = speech(path, cut(JSON.stringify({ text: TEXT }), 1), ada.api_key)
  const [answer] = answersIn(await untilClosed(send(stack, sent)))
  if (!answer) throw new Error('no answer')
  expectRefusal(answer, 400, /its body has more than 1000 chunks of less than 256 bytes$/, 'small chunks')
  expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([])
})

it('a body in chunks of mixed sizes is reassembled unchanged', async () => {
  const stack = await startStack(h.connection)
  const { ada, path } = await h.adasSpace()
  const body = JSON.stringify({ text: TEXT })
  const mixed = cut(body.slice(0, 700), 1) + cut(body.slice(700, 9_000), 300) + cut(body.slice(9_000), 97)
  const socket = send(stack, speech(path, mixed, ada.api_key))
  const [bytes] = await once(socket, 'data')
  socket.destroy()
  expect(String(bytes)).toContain('HTTP/1.1 200 ')
  const [{ text }] = await h.as(ada).get(`${path}/events`).expect(200)
  expect(text).toBe(TEXT)
})

it('an unauthenticated client that keeps sending is disconnected', async () => {
  const stack = await startStack(h.connection)
  const strangers = Array.from({ length: 12 }, () => send(stack, speech('/api/spaces/plans', cut(TEXT, 1).repeat(40))))
  const answers = await Promise.all(strangers.map(async (socket) => String((await once(socket, 'data'))[0])))
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 40[01] /)
  await eventually(() => stack.sockets.length === 12 && stack.sockets.every(({ destroyed }) => destroyed))
  for (const socket of strangers) socket.destroy()
})
