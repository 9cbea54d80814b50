import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
})

describe('in a pipe', () => {
  it('opens a space, and prints what the service answers', async () => {
    const run = await spaces(['space', 'create', 'plans', '--description', 'Where to go', '--join', '--json'], {
      env,
    }).expect(0)
    expect(run.json).toEqual(await server.as(ada).get('/api/spaces/plans/status').expect(200))
    expect(run.json).toMatchObject({ space_id: 'plans', description: 'Where to go', event_count: 0 })
    expect(run.stderr).toBe('')
  })

  it('has no colours and asks nothing', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'asked' }).expect(200)
    const run = await spaces(['space', 'archive', 'asked'], { env }).expect(2, '--yes is required')
    expect(run.stdout).toBe('')
    expect((await server.as(ada).get('/api/spaces/asked/status').expect(200)).status).toBe('active')
  })

  it('reports a conflict in its exit code', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'taken' }).expect(200)
    const run = await spaces(['space', 'create', 'taken', '--json'], { env }).expect(5)
    expect(run.error).toMatchObject({ status: 409, exit_code: 5 })
  })
})

describe('in a terminal', () => {
  it('shows spaces as an aligned table', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'shown', description: 'To look at' }).expect(200)
    const person = terminal(['space', 'list'], { env })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^SPACE +STATUS +PARTICIPANTS +EVENTS +LAST EVENT +DESCRIPTION$/m)
    expect(person.screen).toMatch(/^shown +active +0 +0 +- +To look at$/m)
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
