import { createServer } from 'node:http'
import { appRouter, type Context } from '@collab-spaces/api'
import { openApi30Document } from '@collab-spaces/api/openapi'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import express from 'express'
import { createOpenApiExpressMiddleware } from 'trpc-to-openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeGracefully } from '../src/http/server.js'
import { listen } from '../src/listen.js'
import { ConformingClient } from './support/conformance.js'
import { document, type Operation, operations } from './support/document.js'
import { useServer } from './support/server.js'
import { Stack } from './support/stack.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

/** Tools of third parties read the document, and the procedures from which it is generated. */

const h = useServer()
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

  it.each(['space_list', 'search_events', 'event_speech', 'space_change', 'decision_resolve', 'link_delete'])(
    'answers %s as our adapter does',
    async (id) => {
      const { world } = await openWorld(ours, h.connection, tenant)
      const { method, path, body } = await world.request(
        operations.find((operation) => operation.id === id) as Operation,
      )
      const theirs = await library.as(world.owner.key).send(method, path, body)
      expect(theirs.status).toBe(200)
      if (method === 'GET') expect(theirs.body).toEqual((await world.owner.send(method, path)).body)
    },
  )
})
