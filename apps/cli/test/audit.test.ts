import { describe, expect, it } from 'vitest'
import { signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()

describe('audit list', () => {
  it('shows the security log of the tenant to its admins', async () => {
    const ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const env = signedInAs(server, ada)
    const { stdout } = await spaces(['audit', 'list'], { env }).expect(0)
    expect(stdout).toMatch(/^TIME +ACTION +DONE TO +BY +WITH +FROM +DETAILS\n/)
    expect(stdout).toMatch(new RegExp(`member\\.joined +${ada.actor_id} +${ada.actor_id} +API key +- +-\n`))
    const { json } = await spaces(['audit', 'list', '--json'], { env }).expect(0)
    expect(json).toEqual(await server.as(ada).get('/api/audit').expect(200))
    expect((await spaces(['audit', 'list', '--limit', '1', '--json'], { env }).expect(0)).json).toEqual([json[0]])
    const earlier = ['audit', 'list', '--before', json[0].entry_id, '--json']
    expect((await spaces(earlier, { env }).expect(0)).json).toEqual(json.slice(1))
    expect((await spaces(['audit', 'list', '--before', json.at(-1).entry_id], { env }).expect(0)).stdout).toBe(
      'No entries.\n',
    )
  })

  it('shows old and new values, and filters entries', async () => {
    const ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    await server.as(ada).patch(`/api/actors/${ada.actor_id}`, { display_name: 'Ada L.' }).expect(200)
    const env = signedInAs(server, ada)
    const { stdout } = await spaces(['audit', 'list', '--action', 'actor.renamed'], { env }).expect(0)
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stdout).toContain('display_name Ada → Ada L.\n')
    const only = async (...flags: string[]) =>
      (await spaces(['audit', 'list', '--json', ...flags], { env }).expect(0)).json.map(
        ({ action }: { action: string }) => action,
      )
    expect(await only('--subject', ada.actor_id, '--actor', ada.actor_id)).toEqual(['actor.renamed', 'member.joined'])
    expect(await only('--since', '1h')).toHaveLength(3)
    expect(await only('--until', '1h')).toEqual([])
    await spaces(['audit', 'list', '--action', 'nonsense'], { env }).expect(1, 'action: must be one of')
  })

  it('reads further pages up to the limit', async () => {
    const ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    for (let n = 0; n < 205; n++)
      await server
        .as(ada)
        .patch(`/api/actors/${ada.actor_id}`, { display_name: `Ada ${n}` })
        .expect(200)
    const { json } = await spaces(['audit', 'list', '--limit', '1000', '--json'], {
      env: signedInAs(server, ada),
    }).expect(0)
    expect(new Set(json.map(({ entry_id }: { entry_id: string }) => entry_id)).size).toBe(207)
  })

  it('names the command for the shared default tenant', async () => {
    const env = signedInAs(server, await server.registerHuman('Ada'))
    await spaces(['audit', 'list'], { env }).expect(1, 'operate audit list')
  })
})
