import { createHash } from 'node:crypto'
import { LIMITS } from '@collab-spaces/domain'
import { type Actor, bearer, type Client, eventually, png, pngChunk, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
const operate = operatorOf(h)

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pathOf = ({ actor_id }: Actor) => `/api/actors/${actor_id}/picture`
const set = (by: Actor | string, of: Actor, bytes: Uint8Array = png()) =>
  h.as(by).put(pathOf(of), { content: Buffer.from(bytes).toString('base64') })

/** Reads a picture as a browser would. */
async function read({ url, key }: Client, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${url}${path}`, { method, headers: { ...bearer(key), ...headers } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const list = (by: Actor, ...actors: readonly Actor[]) =>
  h.as(by).get(`/api/pictures?actor_ids=${actors.map(({ actor_id }) => actor_id).join(',')}`)

describe('PUT and DELETE /api/actors/{actor_id}/picture', () => {
  it('set, replace and remove the picture, whose hash is in the card and the actor', async () => {
    const ada = await h.registerHuman('Ada')
    const card = () => h.as(ada).get(`/api/actors/${ada.actor_id}`).expect(200)
    expect(await card()).toMatchObject({ picture: null })
    for (const grey of [10, 20]) {
      const picture = sha256Of(png({ grey }))
      expect(await set(ada, ada, png({ grey })).expect(200)).toMatchObject({ actor_id: ada.actor_id, picture })
      expect(await card()).toMatchObject({ picture })
      expect(await h.as(ada).get('/api/actors/me').expect(200)).toMatchObject({ picture })
      expect((await read(h.as(ada), pathOf(ada))).bytes.equals(png({ grey }))).toBe(true)
    }
    for (const _twice of [1, 2]) {
      expect(await h.as(ada).delete(pathOf(ada)).expect(200)).toMatchObject({ picture: null })
    }
    expect(await card()).toMatchObject({ picture: null })
    await h.as(ada).get(pathOf(ada)).expect(404, 'Picture not found')
  })

  it('return 403 to callers other than the actor and its sponsor', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const scout = await h.registerAgent(ada, 'Scout')
    const mole = await h.registerAgent(bob, 'Mole')
    await set(scout, scout).expect(200)
    await set(ada, scout).expect(200)
    await h.as(ada).delete(pathOf(scout)).expect(200)
    const refusal = 'Only the actor or its sponsor may do this'
    for (const [by, of] of [
      [bob, scout],
      [mole, scout],
      [scout, ada],
      [bob, ada],
    ] as const) {
      await set(by, of).expect(403, refusal)
      await h.as(by).delete(pathOf(of)).expect(403, refusal)
    }
    await h
      .as(ada)
      .put('/api/actors/usr_nobody/picture', { content: png().toString('base64') })
      .expect(404)
  })

  it('need the scope `account`, or `write` for an agent’s own picture', async () => {
    const ada = await h.registerHuman('Ada')
    const tokenWith = async (scopes: string[]) =>
      (await h.as(ada).post('/api/personal-access-tokens', { name: 'x', scopes }).expect(200)).token as string
    await set(await tokenWith(['read', 'write']), ada).expect(403, /account/)
    await set(await tokenWith(['read', 'write', 'account']), ada).expect(200)
    const reader = await h.registerAgent(ada, 'Reader', { scopes: ['read'] })
    await set(reader, reader).expect(403, /write/)
  })

  it('remove metadata from the image', async () => {
    const ada = await h.registerHuman('Ada')
    const place = pngChunk('tEXt', Buffer.from('Place\0Kew'))
    const { picture } = await set(ada, ada, png({ chunks: [place] })).expect(200)
    expect(picture).toBe(sha256Of(png()))
    expect((await read(h.as(ada), pathOf(ada))).bytes.equals(png())).toBe(true)
  })

  const noImage = 'content: must be a whole PNG, JPEG or WebP image that is not animated'
  it.each([
    ['an empty string', '', 'content: must not be empty: DELETE removes the picture'],
    ['a text that is not base64', '<svg/>', 'content: must be base64, without line breaks'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), noImage],
    ['a page after an image', Buffer.concat([png(), Buffer.from('<script>')]).toString('base64'), noImage],
    ['a truncated image', png().subarray(0, -4).toString('base64'), noImage],
    ['a GIF', Buffer.from('GIF89a').toString('base64'), noImage],
    [
      'an image of too many pixels',
      png({ width: 1025 }).toString('base64'),
      /^content: must be at most 1024 × 1024 pixels, not 1025/,
    ],
    ['many bytes', Buffer.alloc(LIMITS.pictureBytes + 3).toString('base64'), 'content: must be at most 65,536 bytes'],
  ])('refuse %s', async (_name, content, detail) => {
    const ada = await h.registerHuman('Ada')
    await h.as(ada).put(pathOf(ada), { content }).expect(400, detail)
    expect(await h.as(ada).get('/api/actors/me').expect(200)).toMatchObject({ picture: null })
  })

  it('count towards the quota of files of the tenant', async () => {
    const tenant = await foundTenant(h.connection)
    const ada = await h.registerHuman('Ada')
    await moveInto(h.connection, tenant, ada)
    const large = png({ chunks: [], width: 1000, height: 3 })
    await operate('tenant', 'quota', 'set', tenant, '--file-bytes', String(large.length), '--tokens', '0')
    await eventually(async () => (await h.as(ada).post('/api/personal-access-tokens', { name: 'x' })).status === 403)
    const scout = await h.registerAgent(ada, 'Scout')
    await set(ada, ada, large).expect(200)
    await set(ada, scout).expect(403, `The quota of bytes of files (${large.length}) is used up`)
    expect(await h.as(scout).get('/api/actors/me').expect(200)).toMatchObject({ picture: null })
    await set(ada, ada, png()).expect(200)
    const shown = await operate('tenant', 'quota', 'show', tenant, '--json')
    expect(JSON.parse(shown.join('\n')).file_bytes.used).toBe(png().length)
  })
})

describe('GET /api/actors/{actor_id}/picture', () => {
  let ada: Actor
  let picture: string
  beforeAll(async () => {
    ada = await h.registerHuman('Ada')
    picture = (await set(ada, ada).expect(200)).picture
  })

  it('returns an image with the type of its bytes, sandboxed and not cached', async () => {
    const { status, headers, bytes } = await read(h.as(ada), pathOf(ada))
    expect([status, bytes.equals(png())]).toEqual([200, true])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png().length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
      etag: `"${picture}"`,
    })
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="picture"/)
    const head = await read(h.as(ada), pathOf(ada), {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(png().length)])
  })

  it('is cached per credential if the URL has the hash, and returns 404 once it is replaced', async () => {
    const bob = await h.registerHuman('Bob')
    const { picture: hash } = await set(bob, bob, png({ grey: 7 })).expect(200)
    const named = `${pathOf(bob)}?sha256=${hash}`
    const { status, headers } = await read(h.as(bob), named)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, max-age=604800, immutable'])
    expect(headers.get('vary')).toMatch(/Authorization/)
    await set(bob, bob, png({ grey: 8 })).expect(200)
    await h.as(bob).get(named).expect(404, 'Picture not found')
    await h
      .as(bob)
      .get(`${pathOf(bob)}?sha256=x`)
      .expect(404, 'Picture not found')
  })

  it('returns 304 for a matching ETag', async () => {
    const { status, headers, bytes } = await read(h.as(ada), pathOf(ada), { 'If-None-Match': `"${picture}"` })
    expect([status, headers.get('etag'), bytes.length]).toEqual([304, `"${picture}"`, 0])
    expect((await read(h.as(ada), pathOf(ada), { 'If-None-Match': '"x"' })).status).toBe(200)
  })

  it('is hidden from a stranger in the shared default tenant until they share a space', async () => {
    const stranger = await h.registerHuman('Eve')
    const scout = await h.registerAgent(ada, 'Scout')
    await h.as(stranger).get(pathOf(ada)).expect(404, 'Picture not found')
    expect(await list(stranger, ada).expect(200)).toEqual([])
    expect(await list(scout, ada).expect(200)).toEqual([{ actor_id: ada.actor_id, picture }])
    const space = await h.openSpace(ada)
    for (const actor of [ada, stranger]) await h.as(actor).post(`${space}/join`).expect(200)
    expect((await read(h.as(stranger), pathOf(ada))).status).toBe(200)
    expect(await list(stranger, ada).expect(200)).toEqual([{ actor_id: ada.actor_id, picture }])
    await h.get(pathOf(ada)).expect(401)
  })

  it('is visible in its tenant only, and to a guest only with a common space', async () => {
    const tenant = await foundTenant(h.connection)
    const [admin, bob, guest, outsider] = [
      await h.registerHuman('Admin'),
      await h.registerHuman('Bob'),
      await h.registerHuman('Gus'),
      await h.registerHuman('Out'),
    ]
    const agent = await h.registerAgent(bob, 'Bolt', EVERYTHING)
    await moveInto(h.connection, tenant, admin, bob, guest, agent)
    await makeAdmin(h.connection, admin)
    for (const actor of [bob, agent]) await set(bob, actor).expect(200)
    await h.as(admin).put(`/api/tenants/${tenant}/members/${guest.actor_id}/access`, { access: 'named' }).expect(200)
    const seen = async (by: Actor) => (await list(by, bob, agent, ada).expect(200)).length
    expect([await seen(admin), await seen(guest), await seen(outsider)]).toEqual([2, 0, 0])
    const space = await h.openSpace(admin)
    await h.as(bob).post(`${space}/join`).expect(200)
    await h.as(admin).post(`${space}/participants`, { actor_id: guest.actor_id }).expect(200)
    expect(await seen(guest)).toBe(1)
    expect((await read(h.as(guest), pathOf(bob))).status).toBe(200)
    await h.as(guest).get(pathOf(agent)).expect(404, 'Picture not found')
    await h.as(outsider).get(pathOf(bob)).expect(404, 'Picture not found')
    // A former member has no picture in the tenant.
    const other = await foundTenant(h.connection)
    await moveInto(h.connection, other, bob, agent)
    expect([await seen(admin), await seen(bob)]).toEqual([0, 2])
  })

  it('lists up to 100 at once', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `usr_${at}`).join(',')
    const path = '/api/pictures?actor_ids='
    expect(
      await h
        .as(ada)
        .get(`${path}${ids(100)}`)
        .expect(200),
    ).toEqual([])
    for (const many of ['', ids(101)]) {
      await h.as(ada).get(`${path}${many}`).expect(400, 'actor_ids: must be 1 to 100 ids of actors')
    }
    expect(await list(ada, ada, ada).expect(200)).toHaveLength(1)
  })
})

describe('a stored picture', () => {
  const check = async () => JSON.parse((await operate('check', '--json'))[0] as string).problems

  it('is deleted with its actor', async () => {
    const ada = await h.registerHuman('Ada')
    const scout = await h.registerAgent(ada, 'Scout')
    for (const actor of [ada, scout]) await set(ada, actor).expect(200)
    await h.as(ada).delete(`/api/actors/${ada.actor_id}`).expect(200)
    const left = await query(
      h.connection,
      `SELECT FROM actors a LEFT JOIN pictures p USING (actor_id)
       WHERE a.actor_id = ANY ($1) AND (p.bytes IS NOT NULL OR a.picture IS NOT NULL)`,
      [[ada.actor_id, scout.actor_id]],
    )
    expect(left.rows).toEqual([])
  })

  it('is compared with its hash by `check`, and not served if its bytes are no picture', async () => {
    const ada = await h.registerHuman('Ada')
    await set(ada, ada).expect(200)
    expect(await check()).toEqual([])
    const damage = (bytes: Uint8Array) =>
      query(h.connection, 'UPDATE pictures SET bytes = $1 WHERE actor_id = $2', [bytes, ada.actor_id])
    await damage(Buffer.from('<script>alert(1)</script>'))
    await h.as(ada).get(pathOf(ada)).expect(404, 'Picture not found')
    const problems: { problem: string }[] = await check()
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/bytes.*must be a picture/),
      `the picture of ${ada.actor_id} is missing, or does not have the recorded SHA-256`,
    ])
    await damage(png())
    expect(await check()).toEqual([])
  })
})
