import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { eventually, type Fate, freshHome, lossyProxy, signedInAs, startSpaces, useServer } from './support/index.js'

const server = useServer()
const SCRIPTED = fileURLToPath(new URL('support/acp-agent.mjs', import.meta.url))

/** Two programs start more than once, so this takes long. In milliseconds. */
const LONG = 60_000

/** Where the runner is killed: at a request that reaches the server or not, or once the agent has its answer. */
const POINTS: readonly (readonly [string, { readonly operation?: string; readonly fate: Fate }])[] = [
  ['once it has proposed the decision', { operation: 'decision.propose', fate: 'lose_answer' }],
  ['while it waits for the resolution', { operation: 'decision.get', fate: 'lose_answer' }],
  ['before the use', { operation: 'decision.use', fate: 'lose' }],
  ['between the use and its answer', { operation: 'decision.use', fate: 'lose_answer' }],
  ['once the agent has its answer', { fate: 'pass' }],
]

it.each(POINTS)(
  'a tool runs at most once per approval when the runner is killed %s',
  {
    timeout: 4 * LONG,
  },
  async (_, { operation, fate }) => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const scout = await server.registerAgent(ada, 'Scout')
    await server.as(scout).post(`${path}/join`).expect(200)
    let isLost = false
    const url = await lossyProxy(server.url, (target) => {
      if (isLost || operation === undefined || !target.includes(operation)) return 'pass'
      isLost = true
      return fate
    })
    const home = await freshHome()
    const log = join(home, 'agent.log')
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
    const runs = () => lines().filter((line) => line === 'got once').length
    const env = { ...signedInAs({ url }, scout), AGENT_LOG: log }
    const start = () =>
      startSpaces(['agent', 'run', '--acp', `"${process.execPath}" "${SCRIPTED}"`], { env, home, longestMs: 4 * LONG })
    // The agent continues after its answer, so that its batch is not done when the runner is killed.
    const text = operation === undefined ? 'ask it\nonce deaf' : 'ask it'
    await server
      .as(ada)
      .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] } })
      .expect(200)

    let isOver = false
    const approving = (async () => {
      while (!isOver) {
        for (const { decision_id } of await server.as(ada).get(`${path}/decisions?status=proposed`).expect(200)) {
          const settlement = { resolved_by: ada.actor_id, status: 'resolved', resolution: 'Yes', option: 'once' }
          await server.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settlement).expect(200)
        }
        await eventually(async () => {
          const open = await server.as(ada).get(`${path}/decisions?status=proposed`).expect(200)
          return isOver || open.length > 0
        }, LONG)
      }
    })()
    const killed = start()
    await eventually(() => isLost || lines().includes('is deaf'), LONG)
    killed.kill('SIGKILL')
    await killed.end()
    const before = runs()
    start()
    const lastEvent = async () => (await server.as(ada).get(`${path}/transcript`).expect(200)).at(-1)
    await eventually(async () => (await lastEvent()).posted_by === scout.actor_id, LONG)
    isOver = true
    await approving
    expect((await lastEvent()).text).toBe('it: once.')
    expect(runs()).toBe(before + 1)

    const decisions = await server.as(ada).get(`${path}/decisions`).expect(200)
    const used = decisions.filter(({ used_at }: { used_at: string | null }) => used_at !== null)
    expect(runs()).toBeLessThanOrEqual(used.length)
    if (operation === 'decision.propose') expect(decisions).toHaveLength(1)
    for (const { decision_id } of used) {
      const acts = await server.as(ada).get(`${path}/decisions/${decision_id}/acts`).expect(200)
      expect(acts.map(({ kind }: { kind: string }) => kind)).toEqual(['proposed', 'settled', 'used'])
    }
  },
)
