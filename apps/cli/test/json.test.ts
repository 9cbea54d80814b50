import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  for (const space_id of ['plans', 'budget']) {
    await server
      .as(ada)
      .post('/api/spaces', { space_id, description: `About ${space_id}` })
      .expect(200)
  }
  for (const text of ['One', 'Two']) {
    await server
      .as(ada)
      .post('/api/spaces/plans/speech', { text, metadata: { mood: 'good' } })
      .expect(200)
  }
})

const stdout = async (...args: string[]) => (await spaces(args, { env }).expect(0)).stdout

describe('--json', () => {
  it('prints all fields, and takes field names only after =', async () => {
    expect(JSON.parse(await stdout('--json', 'space', 'list'))[0]).toHaveProperty('status')
    expect(JSON.parse(await stdout('space', 'list', '--json'))).toHaveLength(2)
  })

  it('prints only the named fields', async () => {
    expect(JSON.parse(await stdout('space', 'list', '--json=space_id,status'))).toEqual([
      { space_id: 'budget', status: 'active' },
      { space_id: 'plans', status: 'active' },
    ])
    expect(JSON.parse(await stdout('whoami', '--json=display_name'))).toEqual({ display_name: 'Ada' })
    const run = await spaces(['space', 'list', '--json=id'], { env }).expect(2)
    expect(run.error).toMatchObject({
      detail: 'There is no field id',
      hint: expect.stringContaining('space_id, title, description'),
    })
  })
})

describe('--jq', () => {
  it('filters the JSON', async () => {
    expect(await stdout('space', 'list', '--jq', '.[].space_id')).toBe('budget\nplans\n')
    expect(await stdout('read', 'plans', '--jq', 'map(.text | ascii_downcase) | join(" ")')).toBe('one two\n')
    expect(await stdout('space', 'show', 'plans', '--jq', '{space_id, status}', '--json=space_id,status')).toBe(
      '{\n  "space_id": "plans",\n  "status": "active"\n}\n',
    )
  })

  it('prints nothing for an empty result', async () => {
    expect(await stdout('space', 'list', '--jq', '.[] | select(.status == "paused") | .space_id')).toBe('')
    expect(await stdout('space', 'list', '--status', 'paused', '--template', '{{space_id}}')).toBe('')
    expect(await stdout('space', 'list', '--status', 'paused', '--json=space_id')).toBe('[]\n')
  })

  it('explains an invalid program', async () => {
    await spaces(['space', 'list', '--jq', '.['], { env }).expect(2, '--jq: ')
    await spaces(['space', 'list', '--jq', '.space_id'], { env }).expect(1, 'Cannot index array')
    await spaces(['space', 'list', '--jq', '.', '--template', 'x'], { env }).expect(2, 'cannot be used together')
  })
})

describe('--template', () => {
  it('renders each element of a list', async () => {
    expect(await stdout('space', 'list', '--template', '{{space_id}}\\t{{ .status }}')).toBe(
      'budget\tactive\nplans\tactive\n',
    )
    expect(await stdout('read', 'plans', '--template', '{{text}} ({{metadata.mood}}){{thread_id}}')).toBe(
      'One (good)\nTwo (good)\n',
    )
    await spaces(['space', 'list', '--template', '{{id}}'], { env }).expect(2, 'There is no field id', 'space_id')
  })

  it('replaces control characters in a terminal, as --jq does', async () => {
    await server.openSpace(ada, 'odd')
    await server.as(ada).post('/api/spaces/odd/speech', { text: 'Be \u001b[31mred' }).expect(200)
    for (const form of [
      ['--template', '{{text}}'],
      ['--jq', '.[].text'],
    ]) {
      const person = terminal(['read', 'odd', ...form], { env })
      expect(await person.end()).toBe(0)
      expect(person.screen).toContain('Be \ufffd[31mred')
    }
  })
})

describe('--web', () => {
  it.skipIf(process.platform !== 'linux')('prints the address without a display', async () => {
    const { stdout } = await spaces(['space', 'show', 'plans', '--web'], { env }).expect(0)
    expect(stdout).toBe(`${server.url}/s/plans\n`)
  })

  it('opens the page in the browser of the environment', async () => {
    const opens = { ...env, BROWSER: 'true' }
    const run = await spaces(['space', 'show', 'plans', '--web', '--json'], { env: opens }).expect(0)
    expect(run.json).toEqual({ url: `${server.url}/s/plans` })
    const fails = { env: { ...env, BROWSER: 'false' } }
    const failed = await spaces(['read', 'plans', '--web'], fails).expect(1, 'did not open', `${server.url}/s/plans`)
    expect(failed.stdout).toBe('')
    await spaces(['read', 'plans', '--web'], { env: { ...env, BROWSER: 'no-such-browser' } }).expect(
      1,
      'Cannot start a browser',
      `${server.url}/s/plans`,
    )
  })
})
