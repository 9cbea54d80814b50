import { eventually, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { capturingLog } from './support/log.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const captured = capturingLog()
const h = useServer({}, useDatabase(), captured.log)

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 50: 'error' }

/** The level of the line about a request, once it is over. */
async function levelOf(id: string): Promise<string | undefined> {
  const line = await eventually(() =>
    captured.lines().find(({ reqId, msg }) => reqId === id && String(msg).startsWith('request')),
  )
  return LEVELS[line?.level as number]
}

const named = (id: string) => ({ headers: { 'x-request-id': id } })

describe('the line about a request', () => {
  it('is for everybody to see', async () => {
    await h.get('/health', named('plain')).expect(200)
    expect(await levelOf('plain')).toBe('info')
  })

  it('is for debugging if it waited or might have, whichever way it came', async () => {
    const ada = await h.registerHuman()
    const inbox = '/api/actors/me/inbox'
    await h.as(ada).get(`${inbox}?wait=1`, named('waited')).expect(200)
    await h.as(ada).get(`${inbox}?wait=0`, named('looked')).expect(200)
    expect(await levelOf('waited')).toBe('debug')
    expect(await levelOf('looked')).toBe('info')
    const input = encodeURIComponent(JSON.stringify({ wait: 1 }))
    await h.as(ada).get(`/trpc/inbox.get?input=${input}`, named('typed')).expect(200)
    expect(await levelOf('typed')).toBe('debug')
  })

  it('is for debugging if it was a stream', async () => {
    const ada = await h.registerHuman()
    const path = await h.openSpace(ada)
    const stream = await StreamReader.open(h.as(ada), path, named('stream'))
    await stream.close()
    expect(await levelOf('stream')).toBe('debug')
  })

  it('is for everybody to see if it was refused', async () => {
    const ada = await h.registerHuman()
    await h.get('/api/actors/me/inbox?wait=50', named('stranger')).expect(401)
    await h.as(ada).get('/api/spaces/nowhere/events?wait=50', named('nowhere')).expect(404)
    await h.as(ada).get('/api/spaces/nowhere/events/stream', named('no-stream')).expect(404)
    for (const id of ['stranger', 'nowhere', 'no-stream']) expect(await levelOf(id)).toBe('info')
  })
})
