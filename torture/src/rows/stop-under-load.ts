import { join } from 'node:path'
import { connectionTo, eventually, postmasterOf } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { HeldRequest } from '../service/held-request.js'

const STOP_TIMEOUT_MS = 10_000

export const stopUnderLoad: Row = {
  name: 'F13',
  title: 'stops under load',
  about:
    'A server with its embedded PostgreSQL is stopped (SIGTERM) under load, with open streams and a request half ' +
    'sent. That request is answered, the server exits with 0 within ten seconds, as does PostgreSQL, and ' +
    'acknowledged writes are kept.',
  async run(trial) {
    const dataDir = join(await trial.directory(), 'data')
    const server = await trial.embeddedServer(dataDir)
    const load = await Load.start(trial, { urls: [server.url] })
    const [hot] = load.spaces as [string]
    let stops = 0
    let slowest = 0
    while (trial.hasTimeFor(stops)) {
      await load.more(trial.between(20, 200))
      const text = `held ${stops}`
      const write = load.notes.begin(hot, [text])
      const path = `/api/spaces/${hot}/speech`
      const held = await HeldRequest.begin(server.url, { path, key: load.key, body: { text } })
      await load.more(1)
      const begun = performance.now()
      server.program.child.kill('SIGTERM')
      const answer = await held.finish()
      trial.require(answer.status === 200, `a request that was under way was answered ${answer.status} ${answer.text}`)
      if (answer.status === 200) load.notes.acknowledge(write, [JSON.parse(answer.text).event_id])
      const code = await server.program.end()
      const took = performance.now() - begun
      slowest = Math.max(slowest, took)
      trial.require(code === 0, `told to stop, the server ended with ${code}: ${server.program.stderr}`)
      trial.requireWithin(STOP_TIMEOUT_MS, took, 'the stop took')
      trial.require((await postmasterOf(dataDir)) === undefined, 'PostgreSQL outlives its server')
      stops++
      await server.start()
    }
    await eventually(() => load.streams.every(({ opened }) => opened > 1)).catch(() => {})
    return { ...(await load.finish(await connectionTo(dataDir))), stops, 'slowest ms': Math.round(slowest) }
  },
}
