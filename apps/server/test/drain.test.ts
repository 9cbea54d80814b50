import { Client, freshDatabase } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { capturingLog } from './support/log.js'
import { startServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

it('a draining server announces it, still serves requests and streams, and then stops', async () => {
  const captured = capturingLog()
  const server = await startServer(await freshDatabase(), { DRAIN_SECONDS: '3' }, captured.log)
  const ada = await new Client(server.url).registerHuman()
  const client = new Client(server.url, ada.api_key)
  const space = await client.openSpace(ada)
  const reader = await StreamReader.open(client, space)
  await client.get('/ready').expect(200)

  const stopped = server.stop()
  await client.get('/ready').expect(503, 'The server is stopping; connect again')
  const answer = await client.post(`${space}/speech`, { text: 'late' })
  answer.expect(200)
  expect(answer.headers.get('connection')).toBe('close')
  await reader.read(1)
  expect(reader.isOver).toBe(false)

  await stopped
  await reader.ended
  await expect(client.get('/health')).rejects.toThrow('ECONNREFUSED')
  // The 503 of /ready is no error in the log.
  expect(captured.lines()).toContainEqual(expect.objectContaining({ res: { status: 503 }, msg: 'request' }))
  expect(captured.lines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
