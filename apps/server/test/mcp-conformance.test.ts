import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { useDirectory } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { relayWith } from './support/relay.js'
import { useServer } from './support/server.js'

const h = useServer()
const results = useDirectory()
const run = promisify(execFile)

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
/** The file of expected failures with their reasons. The suite fails, too, if one of them passes. */
const expectedFor = (revision: string) => fileURLToPath(new URL(`./mcp-conformance/${revision}.yml`, import.meta.url))

/** The suite calls `fs.globSync`, which older versions of Node lack. */
const runs = 'globSync' in fs

describe.runIf(runs)('the public conformance suite', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'passes for %s, except for the listed checks',
    async (revision) => {
      const { api_key } = await h.registerHuman()
      const url = `${await relayWith(() => h.url, api_key)}/mcp`
      const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', expectedFor(revision)]
      const outcome = await run(process.execPath, [SUITE, ...args], {
        cwd: results.path,
        maxBuffer: 64 * 1024 * 1024,
      }).then(
        () => 'passed',
        (error: { stdout: string; stderr: string }) => `${error.stdout}\n${error.stderr}`.slice(-8_000),
      )
      expect(outcome).toBe('passed')
    },
    180_000,
  )
})
