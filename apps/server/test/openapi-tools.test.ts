import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { appRouter, type Context } from '@collab-spaces/api'
import { openApi30Document } from '@collab-spaces/api/openapi'
import { type Actor, bearer, useDirectory } from '@collab-spaces/testing'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import express from 'express'
import { createOpenApiExpressMiddleware } from 'trpc-to-openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeGracefully } from '../src/http/server.js'
import { listen } from '../src/listen.js'
import { ConformingClient } from './support/conformance.js'
import { document, operations } from './support/document.js'
import { useServer } from './support/server.js'
import { Stack } from './support/stack.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

/** Tools of third parties read the document, and the procedures from which it is generated. */

const h = useServer()
const run = promisify(execFile)
const text = JSON.stringify(document)

describe.each([
  ['3.1', text],
  ['3.0', JSON.stringify(openApi30Document('https://spaces.example.org'))],
])('public linters find no error in OpenAPI %s', (_version, text) => {
  it('by the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual([])
  })

  it("by Spectral's rules for OpenAPI", async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset({ extends: [[{ ...oas, extends: [] }, 'all']] })
    const problems = await linter.run(text)
    const errors = problems.filter(({ severity }) => severity === 0)
    expect(errors.map(({ code, message, path }) => ({ code, message, at: path.join('/') }))).toEqual([])
  })
})

describe('a client from a public generator', () => {
  /** Beside the dependencies of these tests, which the generated code imports its runtime from. */
  const directory = useDirectory(join(import.meta.dirname, '../node_modules'))

  it('compiles, and calls the service', async () => {
    const file = join(directory.path, 'openapi.json')
    await writeFile(file, text)
    const { generateSource } = await import('oazapfts')
    await writeFile(join(directory.path, 'api.ts'), await generateSource(file))
    const options = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], skipLibCheck: true }
    await writeFile(
      join(directory.path, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['api.ts'] }),
    )
    await writeFile(join(directory.path, 'package.json'), '{"type":"module"}')
    const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
    await run(process.execPath, [compiler, '-p', directory.path]).catch(({ stdout }) => {
      throw new Error(stdout)
    })

    const api = await import(join(directory.path, 'api.js'))
    const as = (actor?: Actor) => ({
      baseUrl: h.url,
      headers: bearer(actor?.api_key),
    })
    const ada = (await api.actorRegister({ display_name: 'Ada', email: 'ada@example.org' }, as())).data
    expect((await api.spaceCreate({ space_id: 'generated' }, as(ada))).status).toBe(200)
    const event = (await api.eventSpeech('generated', { text: 'Hello' }, { idempotencyKey: 'one' }, as(ada))).data
    expect((await api.eventList('generated', { limit: 10 }, as(ada))).data).toEqual([event])
    expect((await api.eventGet('generated', 'nothing', as(ada))).status).toBe(404)
  })
})

describe("trpc-to-openapi's own middleware", () => {
  const stack = new Stack()
  const app = express()
  const server = createServer(app)
  let library: ConformingClient
  let ours: ConformingClient
  let tenant: string

  beforeAll(async () => {
    await stack.start(h.connection, () => h.url)
    // The library reads bodies of one exact content type only, and requires one even where none is needed.
    app.use(express.json({ type: () => true }))
    app.use((request, _response, next) => {
      request.headers['content-type'] ??= 'application/json'
      request.body ??= {}
      next()
    })
    app.use(
      createOpenApiExpressMiddleware({
        router: appRouter,
        createContext: ({ req }): Context => ({
          services: stack.services,
          token: req.headers.authorization?.replace('Bearer ', ''),
          address: () => null,
          isForeignPage: () => false,
          isHead: false,
        }),
      }),
    )
    library = new ConformingClient(`http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`)
    ours = new ConformingClient(h.url)
    tenant = await foundTenant(h.connection)
  })
  afterAll(async () => {
    await closeGracefully(server, 0)
    await stack.stop()
  })

  // The library supports no files as bodies, and does not decode paths.
  const described = operations.filter(
    ({ id, names, responses }) =>
      id !== 'file_upload' && !names.includes('emoji') && 'application/json' in (responses[200]?.content ?? {}),
  )

  it.each(described.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'answers %s as our adapter does',
    async (_title, operation) => {
      const { world } = await openWorld(ours, h.connection, tenant)
      const { method, path, body } = await world.request(operation)
      const theirs = await library.as(world.owner.key).send(method, path, body)
      expect(theirs.status).toBe(200)
      if (method !== 'GET') return
      const { text } = await world.owner.send(method, path)
      expect(timeless(theirs.text)).toEqual(timeless(text))
    },
  )
})

/** Returns an answer without the times that depend on its request. */
const timeless = (answer: string) => JSON.parse(answer.replace(/"(since|window_start|window_end)":"[^"]+",?/g, ''))
