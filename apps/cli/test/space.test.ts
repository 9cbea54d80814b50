import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
})

describe('space in a pipe', () => {
  it('creates a space, and prints the answer of the API', async () => {
    const run = await spaces(['space', 'create', 'plans', '--description', 'Where to go', '--join', '--json'], {
      env,
    }).expect(0)
    expect(run.json).toEqual(await server.as(ada).get('/api/spaces/plans/status').expect(200))
    expect(run.json).toMatchObject({ space_id: 'plans', description: 'Where to go', event_count: 0 })
    expect(run.stderr).toBe('')
  })

  it('asks nothing, and requires --yes', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'asked' }).expect(200)
    const run = await spaces(['space', 'archive', 'asked'], { env }).expect(2, '--yes is required')
    expect(run.stdout).toBe('')
    expect((await server.as(ada).get('/api/spaces/asked/status').expect(200)).status).toBe('active')
  })

  it('sets owners, and restores an archived space', async () => {
    const grace = await server.registerHuman('Grace')
    await server.as(ada).post('/api/spaces', { space_id: 'owned' }).expect(200)
    await server.as(grace).post('/api/spaces/owned/join').expect(200)
    const edited = await spaces(['space', 'edit', 'owned', '--owner', 'grace'], { env }).expect(0)
    expect(edited.stdout).toMatch(/^owners +Grace$/m)
    const refused = await spaces(['space', 'archive', 'owned', '--yes'], { env })
    refused.expect(1, 'Only owners of this space may do this', 'See who they are: spaces space show SPACE')
    const graceEnv = signedInAs(server, grace)
    await spaces(['space', 'archive', 'owned', '--yes'], { env: graceEnv }).expect(0)
    const again = await spaces(['space', 'pause', 'owned'], { env: graceEnv })
    again.expect(5, 'Space is archived', 'spaces space unarchive SPACE')
    const back = await spaces(['space', 'unarchive', 'owned'], { env: graceEnv }).expect(0)
    expect(back.stdout).toMatch(/^status +active$/m)
  })

  it('shows the unread count until the events are seen', async () => {
    const bob = await server.registerHuman('Bob')
    await server.as(ada).post('/api/spaces', { space_id: 'busy' }).expect(200)
    await server.as(ada).post('/api/spaces/busy/join').expect(200)
    const say = async (text: string) => (await server.as(bob).post('/api/spaces/busy/speech', { text })).body.event_id
    const first = await say('one')
    await say('two')
    const show = () => spaces(['space', 'show', 'busy'], { env }).expect(0)
    expect((await show()).stdout).toMatch(/^unread +2$/m)
    const seen = await spaces(['space', 'seen', 'busy', first], { env }).expect(0)
    expect(seen.stdout).toMatch(/^unread +1$/m)
    await spaces(['space', 'seen', 'busy'], { env }).expect(0)
    expect((await show()).stdout).not.toMatch(/^unread/m)
  })

  it('sets and removes a title', async () => {
    const made = ['space', 'create', 'titled', '--title', 'Spring release']
    expect((await spaces(made, { env }).expect(0)).stdout).toMatch(/^title +Spring release$/m)
    const edited = await spaces(['space', 'edit', 'titled', '--title', 'Autumn'], { env }).expect(0)
    expect(edited.stdout).toMatch(/^title +Autumn$/m)
    expect((await spaces(['space', 'list'], { env }).expect(0)).stdout).toMatch(/^titled +Autumn +active/m)
    const untitled = await spaces(['space', 'edit', 'titled', '--title', ''], { env }).expect(0)
    expect(untitled.stdout).not.toMatch(/^title/m)
  })

  it('pins and mutes a space for the caller', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'pinned' }).expect(200)
    const run = (...words: string[]) => spaces(['space', ...words], { env }).expect(0)
    expect((await run('pin', 'pinned')).stdout).toMatch(/^pinned +yes\nnotices +mentions$/m)
    expect((await run('notices', 'pinned', 'none', '--json')).json).toEqual({ pinned: true, notices: 'none' })
    expect((await run('show', 'pinned')).stdout).toMatch(/^pinned +yes\nnotices +none$/m)
    await run('notices', 'pinned', 'mentions')
    await run('unpin', 'pinned')
    expect((await run('show', 'pinned')).stdout).not.toMatch(/^(pinned|notices)/m)
    await spaces(['space', 'notices', 'pinned', 'loud'], { env }).expect(2, 'Allowed choices are all, mentions, none')
  })

  it('reports a conflict in its exit code', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'taken' }).expect(200)
    const run = await spaces(['space', 'create', 'taken', '--json'], { env }).expect(5)
    expect(run.error).toMatchObject({ status: 409, exit_code: 5 })
  })
})

describe('space in a terminal', () => {
  it('shows spaces as an aligned table', async () => {
    await server
      .as(ada)
      .post('/api/spaces', { space_id: 'shown', title: 'To show', description: 'To look at' })
      .expect(200)
    const person = terminal(['space', 'list'], { env })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^SPACE +TITLE +STATUS +PARTICIPANTS +EVENTS +UNREAD +LAST EVENT +DESCRIPTION$/m)
    expect(person.screen).toMatch(/^shown +To show +active +0 +0 +0 +- +To look at$/m)
    expect(person.output).toContain('\u001b[32mactive')
  })

  it('asks before it archives a space', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'done' }).expect(200)
    const hesitant = terminal(['space', 'archive', 'done'], { env })
    await hesitant.waitFor('Archive done?')
    hesitant.press('enter')
    expect(await hesitant.end()).toBe(2)
    expect(hesitant.screen).toContain('Cancelled')

    const decided = terminal(['space', 'archive', 'done'], { env })
    await decided.waitFor('Archive done?')
    decided.type('y')
    expect(await decided.end()).toBe(0)
    expect(decided.screen).toMatch(/^status +archived$/m)
  })
})
