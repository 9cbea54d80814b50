import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.openSpace(ada, 'plans')
})

const say = (text: string) => server.as(ada).post('/api/spaces/plans/speech', { text }).expect(200)

describe('context', () => {
  it('prints the text in a pipe', async () => {
    await say('The mountains are high')
    const { stdout, stderr } = await spaces(['context', 'plans'], { env }).expect(0)
    expect(stdout).toMatch(/^# Space plans\n/)
    expect(stdout).toContain('\nThe mountains are high\n</event>\n')
    expect(stderr).toBe('')
  })

  it('prints JSON with the cursor for a script', async () => {
    const { event_id } = await say('Where to?')
    const args = ['context', 'plans', '--budget', '500', '--focus', event_id, '--search', 'mountains', '--json']
    const { json } = await spaces(args, { env }).expect(0)
    expect(json).toMatchObject({ budget: 500, cursor: event_id })
    expect(json.text).toContain('## Event in focus')
  })

  it('counts what it leaves out', async () => {
    for (let n = 0; n < 10; n++) await say(`Point ${n} matters`)
    const { stderr } = await spaces(['context', 'plans', '--budget', '500'], { env }).expect(0)
    expect(stderr).toMatch(/^\nLeft out: \d+ events\. To see more: --budget\n$/)
  })

  it('rejects a wrong budget and an unknown space', async () => {
    await spaces(['context', 'plans', '--budget', 'all'], { env }).expect(2, 'whole number')
    await spaces(['context', 'plans', '--budget', '1'], { env }).expect(1, 'from 500 to 200000')
    await spaces(['context', 'nowhere'], { env }).expect(1, 'Space not found')
  })
})
