import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
  await server.as(ada).post('/api/spaces/plans/join').expect(200)
})

const propose = async (text: string) => {
  const proposal = { proposed_by: ada.actor_id, text }
  return await server.as(ada).post('/api/spaces/plans/decisions', proposal).expect(200)
}

describe('decision in a pipe', () => {
  it('proposes the text of its arguments or of standard input', async () => {
    const typed = await spaces(['decision', 'propose', 'plans', 'To', 'the sea', '--json'], { env }).expect(0)
    expect(typed.json).toMatchObject({ text: 'To the sea', status: 'proposed', proposed_by: ada.actor_id })
    const piped = await spaces(['decision', 'propose', 'plans', '--json'], {
      env,
      stdin: 'To the sea\nby train\n',
    }).expect(0)
    expect(piped.json.text).toBe('To the sea\nby train')
    await spaces(['decision', 'propose', 'plans'], { env }).expect(2, 'TEXT is required')
  })

  it('settles a proposal once, with a resolution', async () => {
    const { decision_id } = await propose('Settled')
    await spaces(['decision', 'reject', 'plans', decision_id], { env }).expect(2, '--resolution is required')
    const resolved = await spaces(['decision', 'resolve', 'plans', decision_id, '--resolution', '-', '--json'], {
      env,
      stdin: 'All agreed\n',
    }).expect(0)
    expect(resolved.json).toMatchObject({
      status: 'resolved',
      resolution: 'All agreed',
      resolved_by: ada.actor_id,
    })
    const again = await spaces(['decision', 'reject', 'plans', decision_id, '--resolution', 'No', '--json'], {
      env,
    }).expect(5)
    expect(again.error).toMatchObject({ detail: 'Decision is already resolved', exit_code: 5 })
  })

  it('accepts the resolution without a flag, and a whole ID without its space', async () => {
    const resolve = async (...args: string[]) =>
      (await spaces(['decision', 'resolve', ...args, '--json'], { env }).expect(0)).json
    const ids = await Promise.all(['1', '2', '3'].map(async (text) => (await propose(text)).decision_id as string))
    expect(await resolve('plans', ids[0] as string, 'All', 'agreed')).toMatchObject({ resolution: 'All agreed' })
    expect(await resolve(ids[1] as string, 'All agreed')).toMatchObject({ space_id: 'plans', resolution: 'All agreed' })
    expect(await resolve(ids[2] as string, '--resolution', 'Yes')).toMatchObject({ resolution: 'Yes' })
    const twice = ['decision', 'resolve', 'plans', ids[0] as string, 'Yes', '--resolution', 'No']
    await spaces(twice, { env }).expect(2, 'given twice')
    await spaces(['decision', 'resolve', 'plans'], { env }).expect(2, "missing required argument 'decision'")
  })

  it('lists, shows and counts decisions as the API does', async () => {
    const { decision_id } = await propose('Listed')
    await spaces(['decision', 'reject', 'plans', decision_id, '--resolution', 'Too far'], { env })
    const api = server.as(ada)
    const list = ['decision', 'list', 'plans', '--status', 'rejected', '--json']
    const { json: rejected } = await spaces(list, { env }).expect(0)
    expect(rejected).toEqual(await api.get('/api/spaces/plans/decisions?status=rejected').expect(200))
    expect(rejected).toHaveLength(1)
    const counts = (await spaces(['decision', 'count', 'plans', '--json'], { env }).expect(0)).json
    expect(counts).toEqual(await api.get('/api/spaces/plans/decisions/summary').expect(200))
    const shown = (await spaces(['decision', 'show', 'plans', decision_id], { env }).expect(0)).stdout
    expect(shown).toMatch(/^rejected +just now by Ada$/m)
    expect(shown).toMatch(/^resolution +Too far$/m)
    await spaces(['decision', 'list', 'plans', '--status', 'open'], { env }).expect(2, 'Allowed choices')
  })

  it('lists the decisions of all joined spaces, page by page', async () => {
    const api = server.as(ada)
    const space_id = `ideas-${ada.actor_id}`
    await api.post('/api/spaces', { space_id }).expect(200)
    await api.post(`/api/spaces/${space_id}/join`).expect(200)
    const { decision_id } = await propose('Somewhere')
    const other = await api
      .post(`/api/spaces/${space_id}/decisions`, { proposed_by: ada.actor_id, text: 'Elsewhere' })
      .expect(200)
    const newest = await api.get('/api/decisions?limit=50').expect(200)
    expect(newest.slice(0, 2).map((one: typeof other) => one.decision_id)).toEqual([other.decision_id, decision_id])
    const list = async (...args: string[]) =>
      (await spaces(['decision', 'list', ...args, '--json'], { env }).expect(0)).json
    expect(await list('--limit', '50')).toEqual(newest)
    expect(await list('--limit', '1', '--before', other.decision_id)).toEqual(newest.slice(1, 2))
    expect(await list(space_id, '--filter', 'waiting')).toEqual([other])
    expect(await list('--filter', 'waiting_for_me')).toEqual([])
    const shown = (await spaces(['decision', 'list', '--limit', '1'], { env }).expect(0)).stdout
    expect(shown).toMatch(new RegExp(`^${space_id} +${other.decision_id} +proposed +Ada +just now +Elsewhere$`, 'm'))
    await spaces(['decision', 'list', '--filter', 'open'], { env }).expect(2, 'Allowed choices')
  })

  it('indents the lines of a text', async () => {
    const { decision_id } = await propose('To the sea\nby train')
    const shown = await spaces(['decision', 'show', 'plans', decision_id], { env }).expect(0)
    expect(shown.stdout).toMatch(/^text {6}To the sea\n {10}by train$/m)
  })

  it('names the status when no decision has it', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'open' }).expect(200)
    const shown = await spaces(['decision', 'list', 'open', '--status', 'rejected'], { env }).expect(0)
    expect(shown.stdout).toBe('No rejected decisions. List all: spaces decision list open\n')
  })

  it('replaces control characters in texts', async () => {
    const { decision_id } = await propose('Harm\u001b[2Jless\u009b31m')
    for (const args of [
      ['show', 'plans', decision_id],
      ['list', 'plans'],
    ]) {
      const { stdout } = await spaces(['decision', ...args], { env }).expect(0)
      expect(stdout).toContain('Harm\ufffd[2Jless')
      for (const control of ['\u001b', '\u009b']) expect(stdout).not.toContain(control)
    }
    const json = await spaces(['decision', 'show', 'plans', decision_id, '--json'], { env }).expect(0)
    expect(json.stdout).not.toContain('\u009b')
    expect(json.json.text).toBe('Harm\u001b[2Jless\u009b31m')
  })
})

describe('decision in a terminal', () => {
  it('asks for the reason of a rejection', async () => {
    const { decision_id } = await propose('Asked')
    const person = terminal(['decision', 'reject', 'plans', decision_id], { env })
    await person.waitFor('Why is it rejected?')
    person.type('Too late')
    person.press('enter')
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^status +rejected$/m)
    expect(person.screen).toMatch(/^resolution +Too late$/m)
  })
})
