import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { eventually, freePorts, useDirectory } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { Browser, Program } from './support/oauth.js'
import { useServer } from './support/server.js'

const h = useServer()
const results = useDirectory()

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

/** The suite calls `fs.globSync`, which older versions of Node lack. */
const runs = 'globSync' in fs

describe.runIf(runs)('the public conformance suite for authorization servers', () => {
  it('passes', async () => {
    const ada = await h.registerHuman()
    const [port] = [await freePorts(1)].flat()
    const program = new Program(h.url)
    await program.register({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    const args = ['authorization', '--url', h.url, '--client-id', program.clientId, '--resource', `${h.url}/mcp`]
    const suite = spawn(process.execPath, [SUITE, ...args, '--port', String(port)], { cwd: results.path })
    let output = ''
    for (const stream of [suite.stdout, suite.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const ended = once(suite, 'exit')
    const url = await eventually(() => /http:\S+\/oauth\/authorize\?\S+/.exec(output)?.[0])
    const consent = { actor_id: ada.actor_id, scopes: ['read', 'write'] }
    const back = await new Browser().consent(new URL(url), ada.api_key, consent)
    await fetch(back)
    const [status] = await ended
    expect(`${status} ${status === 0 ? '' : output}`).toBe('0 ')
  })
})
