import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LIMITS } from '@collab-spaces/client'
import { png } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, configIn, freshHome, keptIn, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let home: string
let ada: Actor

beforeEach(async () => {
  home = await freshHome()
  ada = await server.registerHuman('Ada')
})

/** Signs a new home in with this token. */
async function keep(token: string): Promise<void> {
  const { actor_id, display_name } = ada
  await mkdir(dirname(configIn(home)), { recursive: true, mode: 0o700 })
  const profiles = { here: { url: server.url, token, actor_id, display_name } }
  await writeFile(configIn(home), JSON.stringify({ current: 'here', profiles }), { mode: 0o600 })
}

describe('account', () => {
  it('is renamed', async () => {
    await keep(ada.api_key)
    const renamed = (await spaces(['account', 'edit', '--name', 'Ada L.', '--json'], { home }).expect(0)).json
    expect(renamed).toMatchObject({ actor_id: ada.actor_id, display_name: 'Ada L.' })
  })

  it('takes a picture from a file, and removes it', async () => {
    await keep(ada.api_key)
    const [image, large] = [join(home, 'ada.png'), join(home, 'large.png')]
    await writeFile(image, png())
    await writeFile(large, Buffer.alloc(LIMITS.pictureBytes + 1))
    const edit = (...args: string[]) => spaces(['account', 'edit', ...args], { home })
    const { picture } = (await edit('--picture', image, '--title', 'Programs', '--json').expect(0)).json
    expect(picture).toBe(createHash('sha256').update(png()).digest('hex'))
    expect(await server.as(ada).get('/api/actors/me').expect(200)).toMatchObject({ picture, title: 'Programs' })
    await edit('--picture', large).expect(2, /a picture at most 65,536/)
    await edit('--picture', join(home, 'none.png')).expect(2, /Cannot read/)
    await edit('--picture', home).expect(2, /It must be a file/)
    await edit('--picture', import.meta.filename).expect(1, /must be a whole PNG, JPEG or WebP/)
    expect((await edit('--no-picture', '--json').expect(0)).json).toMatchObject({ picture: null, title: 'Programs' })
  })

  it('stays signed in when it rotates the key that it is signed in with', async () => {
    await keep(ada.api_key)
    const key = (await spaces(['account', 'rotate-key', '--yes'], { home }).expect(0)).stdout.trim()
    expect(key).toMatch(/^svc_[0-9a-f]{64}$/)
    expect((await keptIn(home)).profiles.here.token).toBe(key)
    await spaces(['space', 'list'], { home }).expect(0)
    await server.as(ada).get('/api/actors/me').expect(401)
  })

  it('keeps its token when it rotates its key', async () => {
    const { token } = await server.as(ada).post('/api/personal-access-tokens', { name: 'here' }).expect(200)
    await keep(token)
    await spaces(['account', 'rotate-key', '--yes'], { home }).expect(0)
    expect((await keptIn(home)).profiles.here.token).toBe(token)
    await spaces(['space', 'list'], { home }).expect(0)
  })

  it('revokes all its tokens, and stays signed in here with its new key', async () => {
    const { token } = await server.as(ada).post('/api/personal-access-tokens', { name: 'here' }).expect(200)
    await keep(token)
    const key = (await spaces(['account', 'rotate-key', '--revoke-tokens', '--yes'], { home }).expect(0)).stdout.trim()
    expect((await keptIn(home)).profiles.here.token).toBe(key)
    await spaces(['space', 'list'], { home }).expect(0)
    for (const ended of [ada.api_key, token]) await server.as(ended).get('/api/actors/me').expect(401)
  })

  it('is deleted with its agents after a confirmation, and its profile is removed', async () => {
    await keep(ada.api_key)
    const scout = await server.registerAgent(ada, 'Scout')
    await spaces(['account', 'delete'], { home }).expect(2, '--yes is required')
    const person = terminal(['account', 'delete'], { home })
    await person.waitFor('Delete Ada and Scout?')
    person.type('y')
    expect(await person.end()).toBe(0)
    for (const gone of [ada, scout]) await server.as(gone).get('/api/actors/me').expect(401)
    expect(await keptIn(home)).toEqual({ current: null, profiles: {} })
    await spaces(['space', 'list'], { home }).expect(4)
  })
})
