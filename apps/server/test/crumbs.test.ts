import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Actor, eventually } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { answersIn } from './support/raw.js'
import { useServer } from './support/server.js'
import { type Stack, startStack } from './support/stack.js'

/** Bodies that come in so many pieces that each costs more than what it brings. */

const h = useServer()

/** More than one read brings, if each letter is a chunk. */
const TEXT = Array.from({ length: 24_000 }, (_, n) => n.toString(36).at(-1)).join('')

/** So many that a busy machine has not read all of them when somebody else comes. */
const MANY = 20

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

async function answerTo(socket: Socket) {
  const [bytes] = await once(socket, 'data')
  socket.destroy()
  return answersIn(String(bytes))[0]
}

const statusOf = async (socket: Socket) => (await answerTo(socket))?.status

const held = ({ sockets }: Stack) => sockets.filter((socket) => !socket.destroyed && socket.isPaused()).length

async function elsewhere(name: string): Promise<{ ada: Actor; path: string }> {
  const ada = await h.registerHuman(name)
  await h.as(ada).post('/api/tenants', { name }).expect(200)
  return { ada, path: await h.openSpace(ada) }
}

it('bodies in crumbs are read in turn, those of other tenants too, and none is refused', async () => {
  const [stack, mallory, ada] = [await startStack(h.connection), await elsewhere('Mallory'), await elsewhere('Ada')]
  const crumbs = cut(JSON.stringify({ text: TEXT }), 1)
  let done = 0
  const many = Array.from({ length: MANY }, async () => {
    const status = await statusOf(send(stack, speech(mallory.path, crumbs, mallory.ada.api_key)))
    done++
    return status
  })
  await Promise.race(many)
  expect(held(stack)).toBeGreaterThan(MANY / 2)
  expect(await statusOf(send(stack, speech(ada.path, crumbs, ada.ada.api_key)))).toBe(200)
  expect(done).toBeLessThan(MANY)
  expect(new Set(await Promise.all(many))).toEqual(new Set([200]))
})

it('what comes in pieces of any size is put together as it was', async () => {
  const stack = await startStack(h.connection)
  const { ada, path } = await elsewhere('Ada')
  const body = JSON.stringify({ text: TEXT })
  const mixed = cut(body.slice(0, 700), 1) + cut(body.slice(700, 9_000), 300) + cut(body.slice(9_000), 97)
  expect(await statusOf(send(stack, speech(path, mixed, ada.api_key)))).toBe(200)
  const [{ text }] = await h.as(ada).get(`${path}/events`).expect(200)
  expect(text).toBe(TEXT)
})

it('the crumbs of strangers, whom nobody listens to, are read in turn', async () => {
  const stack = await startStack(h.connection)
  const crumbs = cut(TEXT, 1).repeat(4)
  const strangers = Array.from({ length: 12 }, () => send(stack, speech('/api/spaces/plans', crumbs)))
  expect(await Promise.all(strangers.map(async (socket) => String((await once(socket, 'data'))[0])))).toEqual(
    Array(12).fill(expect.stringMatching(/^HTTP\/1.1 401 /)),
  )
  await eventually(() => held(stack) >= 6)
  for (const socket of strangers) socket.destroy()
})
