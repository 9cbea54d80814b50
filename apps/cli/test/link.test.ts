import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  for (const space_id of ['plans', 'budget']) await server.as(ada).post('/api/spaces', { space_id }).expect(200)
})

const linksOfPlans = () => server.as(ada).get('/api/spaces/plans/links').expect(200)

describe('link', () => {
  it('leads to another space or to a page, and is rejected as a duplicate', async () => {
    const toSpace = ['link', 'add', 'plans', '--space', 'budget', '--attributes', '{"weight": 2}', '--json']
    expect((await spaces(toSpace, { env }).expect(0)).json).toMatchObject({
      target_id: 'budget',
      target_uri: null,
      link_type: 'related',
      attributes: { weight: 2 },
    })
    await spaces(toSpace, { env }).expect(5)
    const toPage = ['link', 'add', 'plans', '--uri', 'https://example.org/', '--type', 'source', '--json']
    expect((await spaces(toPage, { env }).expect(0)).json).toMatchObject({ target_id: null, link_type: 'source' })

    expect((await spaces(['link', 'list', 'plans', '--json'], { env }).expect(0)).json).toEqual(await linksOfPlans())
    const sources = (await spaces(['link', 'list', 'plans', '--type', 'source'], { env }).expect(0)).lines
    expect(sources).toHaveLength(2)
    expect(sources[1]).toMatch(/^lnk_\w+ +source +https:\/\/example\.org\/ +just now$/)
  })

  it('accepts its target as an argument, too', async () => {
    const add = ['link', 'add', 'budget', '--type', 'plain', '--json']
    expect((await spaces([...add, 'plans'], { env }).expect(0)).json).toMatchObject({ target_id: 'plans' })
    const { json: page } = await spaces([...add, 'https://example.org/'], { env }).expect(0)
    expect(page).toMatchObject({ target_id: null, target_uri: 'https://example.org/' })
    for (const { link_id } of await server.as(ada).get('/api/spaces/budget/links').expect(200)) {
      await server.as(ada).delete(`/api/spaces/budget/links/${link_id}`).expect(200)
    }
  })

  it('requires exactly one target, and an object as attributes', async () => {
    const add = ['link', 'add', 'plans']
    await spaces(add, { env }).expect(2, 'A space or a web page to link to is required')
    await spaces([...add, 'budget', '--space', 'budget'], { env }).expect(2, 'one target only')
    await spaces([...add, 'budget', '--uri', 'https://example.org'], { env }).expect(2, 'one target only')
    await spaces([...add, '--space', 'budget', '--uri', 'https://example.org'], { env }).expect(
      2,
      'cannot be used with',
    )
    await spaces([...add, '--space', 'budget', '--attributes', '[1]'], { env }).expect(2, 'JSON object')
    await spaces([...add, '--space', 'nowhere'], { env }).expect(1, 'Target space not found')
  })

  it('is removed after a confirmation', async () => {
    const { link_id } = await server.as(ada).post('/api/spaces/budget/links', { target_id: 'plans' }).expect(200)
    const remove = ['link', 'remove', 'budget', link_id]
    await spaces(remove, { env }).expect(2, '--yes is required')

    const hesitant = terminal(remove, { env })
    await hesitant.waitFor(`Remove link ${link_id}`)
    hesitant.press('ctrl-c')
    expect(await hesitant.end()).toBe(2)
    expect(await server.as(ada).get('/api/spaces/budget/links').expect(200)).toHaveLength(1)

    expect((await spaces([...remove, '--yes', '--json'], { env }).expect(0)).json).toEqual({ ok: true })
    await spaces([...remove, '--yes'], { env }).expect(1, 'Link not found')
  })
})
