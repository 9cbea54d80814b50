import { type Actor, CAN_MEASURE_MEMORY, peakMemory, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { answersIn, useRaw } from './support/raw.js'

const h = useProgram()
const client = useRaw(h)

let ada: Actor
let space_id: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space_id = spaceIdOf(await h.openSpace(ada))
})

const CALLS = 100

/** Returns a request with the largest number of calls. */
function request(input: object): string {
  const inputs = encodeURIComponent(JSON.stringify(Object.fromEntries(Array(CALLS).fill(input).entries())))
  const path = `/trpc/${Array(CALLS).fill('event.list')}?batch=1&input=${inputs}`
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${ada.api_key}\r\n\r\n`
}

it.runIf(CAN_MEASURE_MEMORY)('requests of many calls are queued before any call, within 120 MB', async () => {
  await client.exchange(request({ space_id }))
  const before = peakMemory(h.program)
  // Long polls that take all slots of the actor.
  const longPolls = Array.from({ length: 2 }, () => client.open(request({ space_id, wait: 50 })))
  const texts = await Promise.all(Array.from({ length: 300 }, () => client.exchange(request({ space_id }))))
  expect(peakMemory(h.program) - before).toBeLessThan(120)
  for (const { status, text } of texts.flatMap(answersIn)) {
    if (status === 200) expect(JSON.parse(text)).toHaveLength(CALLS)
    else expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 503, error: { data: { httpStatus: 503 } } })
  }
  for (const socket of longPolls) socket.destroy()
})

it('a request of many calls without a credential is refused with one 401', async () => {
  const refused = await h.get(`/trpc/${Array(CALLS).fill('event.list')}?batch=1&input={}`)
  expect(JSON.parse(refused.text)).toMatchObject({ error: { data: { httpStatus: 401 } } })
  expect(refused.status).toBe(401)
  // One of these calls needs no credential.
  const many = await h.post(`/trpc/${[...Array(CALLS - 1).fill('space.create'), 'actor.register']}?batch=1`, {})
  expect(JSON.parse(many.text)).toHaveLength(CALLS)
})
