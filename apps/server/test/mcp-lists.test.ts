import { type Actor, bearer, NOTHING, query } from '@collab-spaces/testing'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLIENTS, useMcpClients } from './support/mcp.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer()
const connected = useMcpClients()

const MANY = 1_000

let ada: Actor
let path: string
let space_id: string
/** All ids, in the order of the lists. */
let spaces: string[]
let decisions: string[]

const idsOf = (items: Record<string, string>[], id: string) => items.map((item) => item[id])

beforeAll(async () => {
  const own = await h.adasSpace()
  ;({ ada, path, space_id } = own)
  await h.as(ada).post(`${path}/decisions`, { text: 'Go', proposed_by: 'Ada' }).expect(200)
  await query(
    h.connection,
    `INSERT INTO spaces (tenant_id, space_id, description, status, visibility, links, started_at, created_by)
     SELECT tenant_id, 'many-' || n, 'One of many', status, visibility, links, started_at + n / 3 * interval '1 ms', created_by
     FROM spaces, generate_series(2, $2) n WHERE space_id = $1`,
    [space_id, MANY],
  )
  await query(
    h.connection,
    `INSERT INTO decisions (tenant_id, space_id, decision_id, proposed_by, text, status, created_at, posted_by,
       rules_at_proposal)
     SELECT tenant_id, space_id, gen_random_uuid(), proposed_by, 'Go ' || n, status, created_at + n / 3 * interval '1 ms',
       posted_by, rules_at_proposal
     FROM decisions, generate_series(2, $2) n WHERE space_id = $1`,
    [space_id, MANY],
  )
  spaces = idsOf(await h.as(ada).get('/api/spaces').expect(200), 'space_id') as string[]
  decisions = idsOf(await h.as(ada).get(`${path}/decisions`).expect(200), 'decision_id') as string[]
  expect([spaces.length, decisions.length]).toEqual([MANY, MANY])
})

/** Each tool with its input, the field of its items, their id field, and all ids. */
const lists = () =>
  [
    ['list_spaces', {}, 'spaces', 'space_id', spaces],
    // Newest first, by their ids.
    ['list_decisions', { space_id }, 'decisions', 'decision_id', decisions.toSorted().reverse()],
  ] as const

/** The largest page. */
const most = (tool: string) => (tool === 'list_spaces' ? 200 : 50)

describe.each(CLIENTS)('%s', (_mode, _version, connect) => {
  it('lists all spaces and decisions, page by page', async () => {
    const client = await connected(connect, h.url, ada.api_key)
    for (const [tool, input, output, id, all] of lists()) {
      const first = await client.call(tool, input)
      expect(idsOf(first.content[output], id)).toEqual(all.slice(0, 50))
      const seen: unknown[] = []
      let cursor: string | null = null
      do {
        const { isError, content, text } = await client.call(tool, {
          ...input,
          limit: most(tool),
          ...(cursor && { cursor }),
        })
        expect(isError, text).toBe(false)
        seen.push(...idsOf(content[output], id))
        cursor = content.next_cursor
        if (cursor) expect(text).toContain(`call again with the cursor ${cursor}`)
      } while (cursor !== null)
      expect(seen).toEqual(all)
    }
  })
})

describe.each(SUPPORTED_PROTOCOL_VERSIONS)('revision %s', (revision) => {
  it('returns the largest page at once', async () => {
    for (const [tool, input, output, id, all] of lists()) {
      const answer = await fetch(`${h.url}/mcp`, {
        method: 'POST',
        headers: {
          ...ACCEPT,
          ...bearer(ada.api_key),
          'content-type': 'application/json',
          'mcp-protocol-version': revision,
        },
        body: JSON.stringify(toolCall(tool, { ...input, limit: most(tool) })),
      })
      const message = /^data: (.*)$/m.exec(await answer.text())?.[1]
      const { result } = JSON.parse(message as string)
      expect(result.isError).toBeUndefined()
      expect(idsOf(result.structuredContent[output], id)).toEqual(all.slice(0, most(tool)))
    }
  })
})

describe('a page of a list over REST', () => {
  it('begins after the cursor, and has at most as many items as the limit', async () => {
    const ids = async (part: string, id: string) => idsOf(await h.as(ada).get(part).expect(200), id)
    const [from, until] = [137, 137 + 61]
    expect(await ids(`/api/spaces?limit=61&cursor=${spaces[from - 1]}`, 'space_id')).toEqual(spaces.slice(from, until))
    expect(await ids(`/api/spaces?cursor=${spaces[from - 1]}`, 'space_id')).toEqual(spaces.slice(from))
    expect(await ids(`/api/spaces?status=active&limit=50`, 'space_id')).toEqual(spaces.slice(0, 50))
    expect(await ids(`/api/spaces?cursor=&limit=1`, 'space_id')).toEqual(spaces.slice(0, 1))
    const page = `${path}/decisions?limit=61&cursor=${decisions[from - 1]}`
    expect(await ids(page, 'decision_id')).toEqual(decisions.slice(from, until))
    expect(await ids(`/api/actors/me/spaces?cursor=${spaces[0]}&limit=5`, 'space_id')).toEqual([])
  })

  it('is refused for a limit out of range, and for a cursor that is unknown or hidden', async () => {
    const limit = 'limit: must be a whole number from 1 to 200'
    const stranger = await h.registerHuman('Eve')
    await moveInto(h.connection, await foundTenant(h.connection), stranger)
    for (const list of ['/api/spaces', '/api/actors/me/spaces']) {
      for (const wrong of ['0', '201', 'all', '-1']) await h.as(ada).get(`${list}?limit=${wrong}`).expect(400, limit)
      await h.as(ada).get(`${list}?cursor=nowhere`).expect(404, 'Space not found')
      await h.as(stranger).get(`${list}?cursor=${space_id}`).expect(404, 'Space not found')
    }
    await h.as(ada).get(`${path}/decisions?limit=201`).expect(400, limit)
    for (const cursor of [NOTHING, 'nothing']) {
      await h.as(ada).get(`${path}/decisions?cursor=${cursor}`).expect(404, 'Decision not found')
    }
  })
})
