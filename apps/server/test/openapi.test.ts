import { openApi30Document } from '@collab-spaces/api/openapi'
import { type Actor, NOTHING, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ConformingClient } from './support/conformance.js'
import { documentOf, operations } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

/** Operations of the API reference. All others are extensions of it. */
const REFERENCE = [
  'GET /api/spaces',
  'POST /api/spaces',
  'GET /api/spaces/{space_id}/status',
  'PATCH /api/spaces/{space_id}',
  'POST /api/spaces/{space_id}/archive',
  'POST /api/spaces/{space_id}/links',
  'GET /api/spaces/{space_id}/links',
  'DELETE /api/spaces/{space_id}/links/{link_id}',
  'GET /api/spaces/{space_id}/activity',
  'GET /api/spaces/{space_id}/summary',
  'GET /api/search',
  'GET /api/spaces/{space_id}/events',
  'GET /api/spaces/{space_id}/events/{event_id}',
  'GET /api/spaces/{space_id}/transcript',
  'GET /api/spaces/{space_id}/mentions/{participant_id}',
  'POST /api/spaces/{space_id}/speech',
  'POST /api/spaces/{space_id}/response',
  'POST /api/spaces/{space_id}/events',
  'GET /api/spaces/{space_id}/events/stream',
  'POST /api/spaces/{space_id}/threads',
  'GET /api/spaces/{space_id}/threads/{event_id}',
  'GET /api/spaces/{space_id}/participants',
  'POST /api/spaces/{space_id}/join',
  'GET /api/spaces/{space_id}/decisions',
  'POST /api/spaces/{space_id}/decisions',
  'GET /api/spaces/{space_id}/decisions/{decision_id}',
  'GET /api/spaces/{space_id}/decisions/summary',
  'PUT /api/spaces/{space_id}/decisions/{decision_id}/resolve',
  'POST /api/actors',
  'GET /api/actors/me',
  'GET /api/actors/me/spaces',
  'GET /api/actors/me/agents',
  'PATCH /api/actors/{actor_id}',
  'DELETE /api/actors/{actor_id}',
  'POST /api/actors/{actor_id}/rotate-key',
  'POST /api/actors/{actor_id}/release',
  'POST /api/personal-access-tokens',
  'GET /api/personal-access-tokens',
  'DELETE /api/personal-access-tokens/{pat_id}',
  'POST /api/tenants',
  'GET /api/tenants/{tenant_id}',
]

const h = useServer()

describe('GET /openapi.json', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document as any reader gets it
  let served: any

  beforeAll(async () => {
    const answer = await h.get('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    served = answer.body
  })

  it('is a document of OpenAPI 3.1', () => {
    expect(served.openapi).toMatch(/^3\.1\./)
  })

  it('contains the URL of the server', () => {
    expect(served.servers).toEqual([{ url: h.url }])
  })

  it('equals the document whose operations the tests use', () => {
    expect(served).toEqual(documentOf(h.url))
  })

  it('names each operation once', () => {
    const ids = operations.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  it('declares each parameter of a path, and no other', () => {
    for (const [path, methods] of Object.entries<object>(served.paths)) {
      for (const { parameters = [] } of Object.values(methods)) {
        const declared = parameters.filter((parameter: { in: string }) => parameter.in === 'path')
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        expect(declared.map(({ name }: { name: string }) => name).sort(), path).toEqual(names.sort())
        for (const { required } of declared) expect(required).toBe(true)
      }
    }
  })

  it('marks operations outside the reference as extensions', () => {
    for (const { method, path } of operations) {
      const described = served.paths[path][method.toLowerCase()]
      const extension = REFERENCE.includes(`${method} ${path}`) ? undefined : true
      expect(described['x-extension'], `${method} ${path}`).toBe(extension)
    }
  })

  it('describes the health check, ignored fields, defaults, and the key in the URL', () => {
    expect(served.paths['/health'].get).toMatchObject({ security: [], summary: expect.stringMatching(/\w/) })
    const fieldsOf = (path: string) => {
      const { $ref } = served.paths[path].post.requestBody.content['application/json'].schema
      return served.components.schemas[$ref.split('/').at(-1)].properties
    }
    for (const field of ['agent_id', 'agent_name']) {
      expect(fieldsOf('/api/spaces/{space_id}/response')[field].description).toMatch(/^Ignored/)
    }
    for (const field of ['participant_id', 'name', 'participant_type']) {
      expect(fieldsOf('/api/spaces/{space_id}/join')[field].description).toMatch(/^Ignored/)
    }
    // Not a default of the field itself, which generators of types would then require.
    expect(fieldsOf('/api/actors').actor_type.anyOf[0].default).toBe('human')
    expect(fieldsOf('/api/spaces/{space_id}/events').speaker_type.anyOf[0].default).toBe('human')
    expect(served.components.securitySchemes.token.description).toMatch(/^An API key/)
  })

  it('describes only fields as ignored that the service ignores', async () => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    const agent = { text: 'Hello', agent_id: UNKNOWN_ACTOR, agent_name: 7 }
    expect(await h.as(ada).post(`${space}/response`, agent).expect(200)).toMatchObject({ speaker_id: ada.actor_id })
    const joining = { participant_id: UNKNOWN_ACTOR, name: '', participant_type: null }
    expect(await h.as(ada).post(`${space}/join`, joining).expect(200)).toMatchObject({ actor_id: ada.actor_id })
  })

  it('has named bodies, described headers and topics, and no meaningless bounds', () => {
    const text = JSON.stringify(served)
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(text).not.toMatch(/Extension"/)
    for (const topic of ['Authentication', 'Cursors', 'Idempotency', 'Errors']) {
      expect(served.info.description).toContain(`**${topic}.**`)
    }
    for (const methods of Object.values<object>(served.paths)) {
      for (const { operationId, parameters = [], requestBody } of Object.values(methods)) {
        const json = requestBody?.content['application/json']
        if (json) expect(json.schema.$ref, operationId).toMatch(/Request$/)
        else if (requestBody) expect(operationId).toBe('file_upload')
        for (const { in: place, name, description, schema } of parameters) {
          if (place !== 'header') continue
          expect(description, `${operationId} ${name}`).toMatch(/\w/)
          expect(schema.type, `${operationId} ${name}`).toBe('string')
        }
      }
    }
    expect(Object.keys(served.webhooks)).toEqual(expect.arrayContaining(['events.appended', 'webhook.challenge']))
  })

  it('declares and describes the tags it uses', () => {
    const declared = served.tags.map(({ name }: { name: string }) => name)
    const used = Object.values<object>(served.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags }) => tags),
    )
    expect(declared.toSorted()).toEqual([...new Set(used)].sort())
    for (const { name, description } of served.tags) expect(description, name).toMatch(/\w/)
  })
})

describe('GET /openapi-3.0.json', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document as any reader gets it
  let served: any

  beforeAll(async () => {
    served = await h.get('/openapi-3.0.json').expect(200)
  })

  it('is the document that linters read', () => {
    expect(served.openapi).toBe('3.0.3')
    expect(served).toEqual(JSON.parse(JSON.stringify(openApi30Document(h.url))))
  })

  it('has the operations and schemas of the 3.1 document', () => {
    const { paths, components } = documentOf(h.url)
    const shape = (document: object) => Object.entries(document).map(([path, methods]) => [path, Object.keys(methods)])
    expect(shape(served.paths)).toEqual(shape(paths))
    expect(Object.keys(served.components.schemas)).toEqual(Object.keys(components.schemas))
  })

  it('writes nullable types, constants, examples and siblings of references as in 3.0', () => {
    const { schemas } = served.components
    expect(schemas.Event.properties.parent_event_id).toMatchObject({ type: 'string', nullable: true })
    expect(schemas.Event.properties.metadata).toMatchObject({ type: 'object', nullable: true })
    expect(schemas.Event.properties.speaker_type.example).toBe('human')
    expect(schemas.PolledDevice.properties.actor).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Actor' }, { type: 'string', enum: [null], nullable: true }],
    })
    expect(schemas.Space.properties.preferences).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/Preferences' }],
      description: expect.stringMatching(/\w/),
    })
    expect(schemas.SignedOut.properties.ok).toEqual({ type: 'boolean', enum: [true] })
    expect(JSON.stringify(served)).not.toMatch(/"type":(?:"null"|\[)|"const":|"examples":/)
  })
})

describe('answers conform to the document', () => {
  let checked: ConformingClient
  let tenant: string
  let ada: Actor

  beforeAll(async () => {
    checked = new ConformingClient(h.url)
    tenant = await foundTenant(h.connection)
    ada = await checked.registerHuman()
  })

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_title, operation) => {
      // A new world each time: some operations change the rights of their caller for good.
      await (await openWorld(checked, h.connection, tenant)).world.perform(operation).expect(200)
      const { actor, world } = await openWorld(checked, h.connection, tenant)
      const { method, path, body } = await world.request(operation)
      const unread = operation.open ? body : '{"half'
      const bodiless = method === 'GET' || method === 'DELETE'
      if (!operation.keyless) await checked.send(method, path, bodiless ? undefined : unread).expect(401)
      await checked
        .as(actor)
        .send(method, `${path}${path.includes('?') ? '&' : '?'}a=1&a=2`, bodiless ? undefined : '{"half')
        .expect(400)
    },
  )

  it('with every optional field', async () => {
    ada = await checked.registerHuman()
    const as = checked.as(ada)
    const agent = await checked.registerAgent(ada)
    const full = { display_name: 'Scout', actor_type: 'agent', agent_profile: 'Looks', metadata: { a: [1, null] } }
    await as.post('/api/actors', full).expect(200)
    expect(await as.get('/api/actors/me/agents').expect(200)).toHaveLength(2)

    const space = await checked.openSpace(ada)
    const change = { description: 'Plans', links: ['https://example.org'], status: 'active' }
    await as.patch(space, change).expect(200)
    await as.post(`${space}/join`).expect(200)
    await checked.as(agent).post(`${space}/join`, { agent_adapter: 'mcp' }).expect(200)
    const anchor = await as.post(`${space}/speech`, { text: 'A' }).expect(200)
    const anchored = { parent_event_id: anchor.event_id, subject: 'S' }
    const { thread_id } = await as.post(`${space}/threads`, anchored).expect(200)
    const event = {
      speaker_id: 'meet',
      speaker_name: 'Transcript',
      speaker_type: 'transcript',
      text: 'B',
      parent_event_id: anchor.event_id,
      thread_id,
      references: ['file:///b'],
      metadata: { mentions: [ada.actor_id], message_type: 'note' },
    }
    expect(await as.post(`${space}/events`, event).expect(200)).toMatchObject(event)
    for (const list of ['events', 'transcript', `mentions/${ada.actor_id}`]) {
      expect((await as.get(`${space}/${list}`).expect(200)).length, list).toBeGreaterThan(0)
    }
    expect((await as.get(`${space}/threads/${thread_id}`).expect(200)).events).toHaveLength(1)
    const proposal = { proposed_by: ada.actor_id, text: 'Do it' }
    const { decision_id } = await as.post(`${space}/decisions`, proposal).expect(200)
    const settled = { status: 'rejected', resolved_by: agent.actor_id, resolution: 'No' }
    const decision = await as.put(`${space}/decisions/${decision_id}/resolve`, settled).expect(200)
    expect(decision).toMatchObject({ ...proposal, ...settled, settled_by: ada.actor_id })
    expect(await as.get(`${space}/decisions?status=rejected`).expect(200)).toEqual([decision])
    const other = (await checked.openSpace(ada)).split('/').at(-1)
    for (const target of [{ target_id: other }, { target_uri: 'https://example.org/plan' }]) {
      const link = { ...target, link_type: 'about', attributes: { a: [1, null] } }
      expect(await as.post(`${space}/links`, link).expect(200)).toMatchObject(link)
    }
    expect(await as.get(`${space}/links?link_type=about`).expect(200)).toHaveLength(2)
    expect((await as.get(`${space}/activity?max_events=1`).expect(200)).participants).not.toEqual([])
    const { summary_text } = await as.get(`${space}/summary?end=2099-01-01&regenerate=true`).expect(200)
    expect(summary_text).not.toBe('')
    for (const sort of ['newest', 'relevance']) {
      expect(await as.get(`/api/search?q=b&sort=${sort}&linked_to=${other}`).expect(200), sort).toHaveLength(1)
    }
    const archived = await as.post(`${space}/archive`).expect(200)
    expect(archived).toMatchObject({ ended_at: expect.any(String), last_event_at: expect.any(String) })
    expect(archived.participants).toHaveLength(2)
    for (const list of ['/api/spaces', '/api/actors/me/spaces?status=archived']) await as.get(list).expect(200)
  })

  it('with every optional field of tokens, tenants and invites', async () => {
    const { actor: admin } = await openWorld(checked, h.connection, tenant)
    const as = checked.as(admin)
    const { token, pat_id } = await as.post('/api/personal-access-tokens', { name: 'CI' }).expect(200)
    await checked.as(token).get(`/api/tenants/${tenant}`).expect(200)
    await as.delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    expect(await as.get('/api/personal-access-tokens?include_revoked=true').expect(200)).toMatchObject([
      { pat_id, last_used_at: expect.any(String), revoked_at: expect.any(String) },
    ])

    const space = (await checked.openSpace(admin)).split('/').at(-1)
    const wanted = {
      email: 'ada@example.org',
      default_space_id: space,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    }
    const { code, invite_id } = await as.post('/api/invites', wanted).expect(200)
    const grace = await checked.registerHuman('Grace')
    const moved = await checked.as(grace).post('/api/invites/redeem', { code }).expect(200)
    expect(moved).toMatchObject({ tenant_id: tenant, default_space_id: space })
    await as.delete(`/api/invites/${invite_id}`).expect(200)
    // The revocation removes the address.
    const used = { ...wanted, email: null, invite_id, redeemed_at: expect.any(String), revoked_at: expect.any(String) }
    expect(await as.get('/api/invites').expect(200)).toContainEqual(expect.objectContaining(used))
  })

  it('for refused requests', async () => {
    const as = checked.as(ada)
    const agent = await checked.registerAgent(ada)
    const space = await checked.openSpace(ada)
    await checked.as(agent).get('/api/actors/me/agents').expect(403)
    await checked.as(agent).patch(`/api/actors/${ada.actor_id}`, {}).expect(403)
    await as.patch(`/api/actors/${UNKNOWN_ACTOR}`, {}).expect(404)
    await as.get(`${space}/events/${NOTHING}`).expect(404)
    await as.get(`${space}/events/stream?since=${NOTHING}`).expect(404)
    await as.post('/api/spaces', { space_id: space.split('/').at(-1) }).expect(409)
    await as.post(`/api/actors/${agent.actor_id}/connect`, { installation_id: 'laptop' }).expect(200)
    await as.post(`/api/actors/${agent.actor_id}/connect`, { installation_id: 'phone' }).expect(409)
    await as.post(`/api/actors/${agent.actor_id}/rotate-key`).expect(409)
    await checked.post('/api/actors', { display_name: 'Eve', email: 'eve@example.org', code: 'nope' }).expect(404)
    await as.post('/api/invites/redeem', { code: 'nope' }).expect(404)
    await as.get('/api/invites').expect(403)
    const { decision_id } = await as.post(`${space}/decisions`, { proposed_by: 'ada', text: 'A' }).expect(200)
    const settled = { status: 'resolved', resolved_by: 'ada', resolution: 'Yes' }
    await as.put(`${space}/decisions/${decision_id}/resolve`, settled).expect(200)
    await as.put(`${space}/decisions/${decision_id}/resolve`, settled).expect(409)
    const link = { target_uri: 'https://example.org' }
    await as.post(`${space}/links`, link).expect(200)
    await as.post(`${space}/links`, link).expect(409)
    await as.get('/api/search?q=a&space_id=nowhere').expect(404)
    await as.post(`${space}/archive`).expect(200)
    await as.post(`${space}/archive`).expect(409)
    await as.post(`${space}/speech`, { text: 'A' }).expect(409)
  })
})
