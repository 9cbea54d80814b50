import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { freshHome, keptIn, signedInAs, spaces, startSpaces, useServer } from './support/index.js'
import { MAIN } from './support/machine.js'

const server = useServer()

/** Answers each event of a batch, with an idempotency key derived from its ID, as in the guide. */
const ANSWER = `
  import { spawnSync } from 'node:child_process'
  import { text } from 'node:stream/consumers'
  const { items } = JSON.parse(await text(process.stdin))
  for (const { space_id, event: { event_id } } of items) {
    const say = ['say', space_id, 'To the sea', '--reply-to', event_id, '--key', 'answer to ' + event_id]
    const { status } = spawnSync(process.execPath, [${JSON.stringify(MAIN)}, ...say])
    if (status !== 0) process.exit(1)
  }`

const PER_AGENT = 4

it('two people and their agents: invites, answers, the loop guard, a refused settlement and a stop', async () => {
  const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
  const space = (await server.openSpace(ada)).split('/').at(-1) as string
  const here = server.as(ada)
  const path = `/api/spaces/${space}`
  const [adas, graces] = [signedInAs(server, ada), signedInAs(server, grace)]
  await spaces(['space', 'join', space], { env: adas }).expect(0)
  const guard = ['--guard-total', '100', '--guard-per-agent', String(PER_AGENT)]
  await spaces(['policy', 'set', space, '--settle', 'humans', '--approvals', '1', ...guard], { env: adas }).expect(0)

  /** Creates an agent in a home of its own, by the line that its sponsor has copied. */
  const invite = async (name: string, env: Record<string, string>) => {
    const line = (await spaces(['agent', 'invite', name, '--space', space], { env }).expect(0)).stdout
    const home = await freshHome()
    await spaces(line.trim().split(' ').slice(1), { home }).expect(0)
    const script = join(home, 'answer.mjs')
    await writeFile(script, ANSWER)
    const { profiles } = await keptIn(home)
    const { actor_id } = profiles[name.toLowerCase()] as { actor_id: string }
    const run = () => startSpaces(['agent', 'run', '--', process.execPath, script], { home })
    return { home, actor_id, run }
  }
  const [scout, critic] = [await invite('Scout', adas), await invite('Critic', graces)]
  const byScout = async () => {
    const events = await here.get(`${path}/transcript`).expect(200)
    return events.filter(({ posted_by }: { posted_by: string }) => posted_by === scout.actor_id)
  }

  const loops = [scout.run(), critic.run()] as const
  await spaces(['say', space, 'Where to, @Scout?'], { env: adas }).expect(0)
  await eventually(async () => (await byScout()).length === 1)

  // The agents answer each other until the loop guard stops them and notifies the sponsor.
  await spaces(['say', space, '@Critic, and you?'], { home: scout.home }).expect(0)
  const notices = async () => (await here.get('/api/actors/me/inbox').expect(200)).notices
  await eventually(async () => (await notices()).length > 0)
  expect(await byScout()).toHaveLength(PER_AGENT)
  await spaces(['say', space, 'But'], { home: scout.home }).expect(5, `Loop guard: ${PER_AGENT} events by this agent`)

  // The settlement by a human resets the loop guard.
  for (const loop of loops) loop.kill('SIGTERM')
  for (const loop of loops) await loop.end().expect(0)

  const proposal = ['decision', 'propose', space, 'We go to the sea', '--assign', 'Ada', '--json']
  const { decision_id } = (await spaces(proposal, { home: scout.home }).expect(0)).json
  const settle = ['decision', 'resolve', space, decision_id, '--resolution', 'To the sea']
  await spaces(settle, { home: scout.home }).expect(1, 'Only humans may settle decisions here')
  await spaces(settle, { env: adas }).expect(5, 'Needs 1 more approval')
  await spaces(['decision', 'approve', space, decision_id], { env: graces }).expect(0)
  await spaces(settle, { env: adas }).expect(0)

  // Scout has no pending items when it starts again.
  for (const { home } of [scout, critic]) await spaces(['inbox', 'done', '--all'], { home }).expect(0)
  const runner = scout.run()
  await eventually(async () => {
    await spaces(['agent', 'start', 'Scout'], { env: adas }).expect(0)
    await spaces(['agent', 'stop', 'Scout', '--reason', 'Enough'], { env: adas }).expect(0)
    return runner.stderr.includes('Stopped: Enough')
  })
  await spaces(['say', space, 'Are you there, @Scout?'], { env: adas }).expect(0)
  await spaces(['say', space, 'Yes'], { home: scout.home }).expect(1, 'The agent is stopped: Enough')
  expect(await byScout()).toHaveLength(PER_AGENT)
  await spaces(['agent', 'start', 'Scout'], { env: adas }).expect(0)
  await eventually(async () => (await byScout()).length === PER_AGENT + 1, 90_000)
  runner.kill('SIGTERM')
  await runner.end().expect(0)
})
