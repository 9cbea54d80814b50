import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

/** An operation whose whole response body the reference prints. */
interface Row {
  readonly title: string
  /** The top-level fields of the answer; null for `{"ok": true}`. */
  readonly fields: readonly string[] | null
}

const reference = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')

/** Reads the rows that print a body, such as `{agent_id, status}`, and changes without an arrow: `{"ok": true}`. */
const rows: Row[] = reference.split(/\n(?=- `(?:GET|POST|PUT|PATCH|DELETE) )/).flatMap((part): Row[] => {
  const row = part.split(/\n(?=\n|- |#| {2}- )/)[0]?.replaceAll(/\s+/g, ' ') ?? ''
  const title = /^- `([A-Z]+ \/api[^`]*)`/.exec(row)?.[1]
  if (title === undefined) return []
  const answer = row.split('→')[1]
  if (answer === undefined) return title.startsWith('GET ') ? [] : [{ title, fields: null }]
  const printed = /^ `\{(.*)\}`/.exec(answer)?.[1]
  return printed === undefined ? [] : [{ title, fields: fieldsOf(printed) }]
})

/** Returns fields without their values, such as that of `status: {status: "active"}`. */
function fieldsOf(printed: string): string[] {
  return printed.replaceAll(/: ("\w+"|\{.*?\}|\[.*?\])/g, '').split(', ')
}

const h = useServer()
let tenant: string

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
})

describe('the bodies in the reference', () => {
  it.each(rows.map((row) => [row.title, row] as const))('are exact for %s', async (title, { fields }) => {
    const operation = operations.find(({ method, path }) => `${method} ${path}` === title)
    if (!operation) throw new Error(`The reference has an operation that the document lacks: ${title}`)
    const { world } = await openWorld(h, h.connection, tenant)
    const body = await world.perform(operation).expect(200)
    if (fields === null) expect(body).toEqual({ ok: true })
    else expect(Object.keys(body).sort()).toEqual(fields.toSorted())
  })

  it('include those of the known operations', () => {
    expect(rows.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'DELETE /api/personal-access-tokens/{pat_id}',
        'DELETE /api/actors/{actor_id}',
        'DELETE /api/spaces/{space_id}/links/{link_id}',
        'POST /api/actors/{actor_id}/release',
        'GET /api/spaces/{space_id}/decisions/summary',
        'POST /api/spaces',
      ]),
    )
  })
})

describe('the whole response body', () => {
  it('is exact for a release, a count of decisions, a new space, an error and the health check', async () => {
    const { ada, client, path, space_id } = await h.adasSpace()
    const agent = await h.registerAgent(ada)
    const release = () => client.post(`/api/actors/${agent.actor_id}/release`).expect(200)
    await h.as(ada).post(`/api/actors/${agent.actor_id}/connect`, { installation_id: 'laptop' }).expect(200)
    expect(await release()).toEqual({ agent_id: agent.actor_id, status: 'released' })
    expect(await release()).toEqual({ agent_id: agent.actor_id, status: 'already_released' })
    expect(await client.get(`${path}/decisions/summary`).expect(200)).toEqual({ proposed: 0, resolved: 0, rejected: 0 })
    expect(await client.post('/api/spaces', { space_id: `${space_id}-2` }).expect(200)).toEqual({
      space_id: `${space_id}-2`,
      status: { status: 'active' },
    })
    expect((await h.get('/api/actors/me')).body).toEqual({ detail: 'Authentication required' })
    expect((await h.get('/health')).body).toEqual({ status: 'ok' })
  })

  it('of a revocation contains `ended` only if other credentials ended with the token', async () => {
    const ada = await h.registerHuman()
    const { pat_id, token } = await h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
    const spare = await h.as(token).post('/api/personal-access-tokens', { name: 'spare' }).expect(200)
    const revoke = (id: string) => h.as(ada).delete(`/api/personal-access-tokens/${id}`).expect(200)
    const items = [{ kind: 'token', id: spare.pat_id, name: 'spare', actor_id: ada.actor_id }]
    expect(await revoke(pat_id)).toEqual({ ok: true, ended: { count: 1, items } })
    for (const id of [pat_id, spare.pat_id]) expect(await revoke(id)).toEqual({ ok: true })
    const rotate = { revoke_tokens: true }
    const rotated = await h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`, rotate).expect(200)
    expect(rotated).not.toHaveProperty('ended')
  })
})
