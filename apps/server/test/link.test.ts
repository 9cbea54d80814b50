import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

const URI = 'https://example.org/board'

async function begin() {
  const { ada, path, space_id } = await h.adasSpace()
  return { ada, path: `${path}/links`, space_id, target_id: spaceIdOf(await h.openSpace(ada)) }
}

const link = (actor: Actor, path: string, body: object) => h.as(actor).post(path, body).expect(200)

describe('GET /api/spaces/{space_id}/links?direction=', () => {
  it('lists incoming, outgoing or all links in the order of creation', async () => {
    const { ada, path, space_id, target_id } = await begin()
    const there = `/api/spaces/${target_id}/links`
    const first = await link(ada, there, { target_id: space_id })
    const second = await link(ada, path, { target_uri: URI })
    const third = await link(ada, there, { target_id: space_id, link_type: 'blocks' })
    await link(ada, there, { target_uri: URI })
    const found = (query: string) => h.as(ada).get(`${path}?${query}`).expect(200)
    expect(await found('direction=in')).toEqual([first, third])
    expect(await found('direction=both')).toEqual([first, second, third])
    expect(await found('direction=out')).toEqual([second])
    expect(await found('')).toEqual([second])
    expect(await found('direction=both&link_type=blocks')).toEqual([third])
    await h
      .as(ada)
      .get(`${path}?direction=back`)
      .expect(400, /^direction: /)
  })

  it('omits links of spaces outside the limits of the credential', async () => {
    const { ada, path, space_id, target_id } = await begin()
    await link(ada, `/api/spaces/${target_id}/links`, { target_id: space_id })
    const limits = { name: 'one space', scopes: ['read'], space_ids: [space_id] }
    const { token } = await h.as(ada).post('/api/personal-access-tokens', limits).expect(200)
    for (const direction of ['in', 'both']) {
      expect(await h.as(token).get(`${path}?direction=${direction}`).expect(200)).toEqual([])
    }
  })
})

describe('POST /api/spaces/{space_id}/links', () => {
  it('links to a space, with the defaults', async () => {
    const { ada, path, space_id, target_id } = await begin()
    expect(await link(ada, path, { target_id })).toEqual({
      link_id: expect.stringMatching(/^lnk_[0-9A-Za-z]{24}$/),
      space_id,
      target_id,
      target_uri: null,
      link_type: 'related',
      attributes: {},
      created_by: ada.actor_id,
      created_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it('links to a URL, with a type and attributes as they were sent', async () => {
    const { ada, path } = await begin()
    const attributes = JSON.parse('{"__proto__": {"a": [1, null, "ü"]}, "constructor": 1, "deep": {"er": true}}')
    const made = await link(ada, path, { target_uri: URI, link_type: 'tracks', attributes })
    expect(made).toMatchObject({ target_id: null, target_uri: URI, link_type: 'tracks' })
    expect(JSON.stringify(made.attributes)).toBe(JSON.stringify(attributes))
  })

  it('400 for both targets, for neither, and for the space itself', async () => {
    const { ada, path, space_id, target_id } = await begin()
    await h
      .as(ada)
      .post(path, { target_id, target_uri: URI })
      .expect(400, /^target_id: /)
    await h
      .as(ada)
      .post(path, {})
      .expect(400, /^target_id: is required/)
    await h
      .as(ada)
      .post(path, { target_id: null, target_uri: null })
      .expect(400, /^target_id: is required/)
    await h.as(ada).post(path, { target_id: space_id }).expect(400, 'target_id: must be another space')
  })

  it.each([
    'javascript:alert(1)',
    'JAVA\tSCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/relative',
    'no url',
    '',
  ])('400 for the URL %j', async (target_uri) => {
    const { ada, path } = await begin()
    await h
      .as(ada)
      .post(path, { target_uri })
      .expect(400, /^target_uri: /)
  })

  it.each([
    ['link_type', 'x'.repeat(65)],
    ['link_type', ''],
    ['attributes', []],
    ['attributes', 'x'],
    ['attributes', { x: 'x'.repeat(65_536) }],
  ])('400 for %s: %#', async (field, value) => {
    const { ada, path } = await begin()
    await h
      .as(ada)
      .post(path, { target_uri: URI, [field]: value })
      .expect(400, new RegExp(`^${field}: `))
  })

  it('404 for an unknown space on either end', async () => {
    const { ada, path, target_id } = await begin()
    await h.as(ada).post(path, { target_id: 'nowhere' }).expect(404, 'Target space not found')
    await h.as(ada).post(path, { target_id: '../../etc' }).expect(404, 'Target space not found')
    await h.as(ada).post('/api/spaces/nowhere/links', { target_id }).expect(404, 'Space not found')
  })

  it('409 for the same target with the same type', async () => {
    const { ada, path, target_id } = await begin()
    for (const target of [{ target_id }, { target_uri: URI }]) {
      await link(ada, path, target)
      await h.as(ada).post(path, target).expect(409, 'Link already exists')
      await h
        .as(ada)
        .post(path, { ...target, link_type: 'related', attributes: { x: 1 } })
        .expect(409)
      await link(ada, path, { ...target, link_type: 'blocks' })
    }
  })

  it('creates one link for several concurrent requests', async () => {
    const { ada, path } = await begin()
    const answers = await Promise.all(Array.from({ length: 6 }, () => h.as(ada).post(path, { target_uri: URI })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('distinguishes URLs of 2,048 characters by their last character', async () => {
    const { ada, path } = await begin()
    const long = (end: string) => `https://example.org/${'a'.repeat(2_048 - 21)}${end}`
    expect((await link(ada, path, { target_uri: long('x') })).target_uri).toBe(long('x'))
    await link(ada, path, { target_uri: long('y') })
    await h
      .as(ada)
      .post(path, { target_uri: long('y') })
      .expect(409)
    await h
      .as(ada)
      .post(path, { target_uri: `${long('y')}z` })
      .expect(400, /^target_uri: /)
  })

  it.each(['paused', 'archived'])('works in a space that is %s', async (status) => {
    const { ada, path, space_id, target_id } = await begin()
    await h.as(ada).patch(`/api/spaces/${space_id}`, { status }).expect(200)
    const { link_id } = await link(ada, path, { target_id })
    await h.as(ada).delete(`${path}/${link_id}`).expect(200)
  })
})

describe('GET /api/spaces/{space_id}/links', () => {
  it('lists the links of the space in the order of creation, all or of one type', async () => {
    const { ada, path, target_id } = await begin()
    expect(await h.as(ada).get(path).expect(200)).toEqual([])
    const first = await link(ada, path, { target_uri: URI })
    const second = await link(ada, path, { target_id, link_type: 'blocks' })
    const third = await link(ada, path, { target_id })
    expect(await h.as(ada).get(path).expect(200)).toEqual([first, second, third])
    expect(await h.as(ada).get(`${path}?link_type=blocks`).expect(200)).toEqual([second])
    expect(await h.as(ada).get(`${path}?link_type=none`).expect(200)).toEqual([])
    expect(await h.as(ada).get(`/api/spaces/${target_id}/links`).expect(200)).toEqual([])
  })
})

describe('DELETE /api/spaces/{space_id}/links/{link_id}', () => {
  it('removes a link once; the same link can be created again', async () => {
    const { ada, path, target_id } = await begin()
    const { link_id } = await link(ada, path, { target_id })
    expect(await h.as(ada).delete(`${path}/${link_id}`).expect(200)).toEqual({ ok: true })
    await h.as(ada).delete(`${path}/${link_id}`).expect(404, 'Link not found')
    expect(await h.as(ada).get(path).expect(200)).toEqual([])
    expect((await link(ada, path, { target_id })).link_id).not.toBe(link_id)
  })

  it('404 for a link of another space', async () => {
    const { ada, path, target_id } = await begin()
    const { link_id } = await link(ada, path, { target_id })
    await h.as(ada).delete(`/api/spaces/${target_id}/links/${link_id}`).expect(404, 'Link not found')
    expect(await h.as(ada).get(path).expect(200)).toHaveLength(1)
  })
})
