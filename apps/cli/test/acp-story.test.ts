import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  type Actor,
  eventually,
  type Fate,
  freshHome,
  lossyProxy,
  type Pipe,
  signedInAs,
  startSpaces,
  useServer,
} from './support/index.js'

const server = useServer()
const SCRIPTED = fileURLToPath(new URL('support/acp-agent.mjs', import.meta.url))

/** An agent with its runner, which can be killed and restarted. */
class Member {
  readonly log: string
  #runner: Pipe | undefined

  constructor(
    readonly actor: Actor,
    private readonly home: string,
    private readonly url: string,
  ) {
    this.log = join(home, 'agent.log')
  }

  start(): void {
    const env = { ...signedInAs({ url: this.url }, this.actor), AGENT_LOG: this.log, AGENT_KEEPS: 'load' }
    const acp = `"${process.execPath}" "${SCRIPTED}"`
    this.#runner = startSpaces(['agent', 'run', '--acp', acp], { env, home: this.home, longestMs: 4 * LONG })
  }

  /** Kills the runner with SIGKILL, and starts another one. */
  async killRunner(): Promise<void> {
    this.#runner?.kill('SIGKILL')
    await this.#runner?.end()
    this.start()
  }

  /** Kills the agent's program. */
  killAgent(): void {
    const pid = this.lines
      .filter((line) => line.startsWith('starts'))
      .at(-1)
      ?.split(' ')[1]
    process.kill(Number(pid), 'SIGKILL')
  }

  get lines(): string[] {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trim().split('\n') : []
  }
}

/**
 * What is killed, and when: the program of Scout or its runner while it works, or the runner at a request that reaches
 * the server or not.
 */
const POINTS: readonly (readonly [string, { readonly operation?: string; readonly fate?: Fate }])[] = [
  ['the agent, while it works', {}],
  ['the runner, while the agent works', {}],
  ['the runner, before its answer arrives', { operation: 'event.response', fate: 'lose' }],
  ['the runner, once its answer has arrived', { operation: 'event.response', fate: 'lose_answer' }],
  ['the runner, before the batch is done', { operation: 'inbox.done', fate: 'lose' }],
  ['the runner, once the batch is done', { operation: 'inbox.done', fate: 'lose_answer' }],
]

/** Ada's request: Scout mentions Critic, who makes Scout ask for a permission. */
const REQUEST = ['@Scout, find us a place', 'say %40Critic%0Asay %2540Scout%250Aask book the train']

describe('two agents and a human settle a decision', () => {
  it.each(POINTS)('and post each event once when %s, is killed', async (who, at) => {
    const { operation, fate = 'pass' } = at
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    let isLost = false
    const url = await lossyProxy(server.url, (target) => {
      if (isLost || operation === undefined || !target.includes(operation)) return 'pass'
      isLost = true
      return fate
    })
    const scout = new Member(await server.registerAgent(ada, 'Scout'), await freshHome(), url)
    const critic = new Member(await server.registerAgent(ada, 'Critic'), await freshHome(), server.url)
    for (const actor of [ada, scout.actor, critic.actor]) await server.as(actor).post(`${path}/join`).expect(200)

    const pause = operation === undefined ? ['once deaf'] : []
    const request = {
      text: [...REQUEST.slice(0, 1), ...pause, ...REQUEST.slice(1)].join('\n'),
      mentions_from_text: true,
    }
    await server.as(ada).post(`${path}/speech`, request).expect(200)
    scout.start()
    critic.start()
    await eventually(() => isLost || scout.lines.includes('is deaf'), LONG)
    if (who.startsWith('the agent')) scout.killAgent()
    else await scout.killRunner()

    const proposed = `${path}/decisions?status=proposed`
    const { decision_id } = await eventually(async () => (await server.as(ada).get(proposed).expect(200))[0], LONG)
    const settlement = { resolved_by: ada.actor_id, status: 'resolved', resolution: 'Yes', option: 'once' }
    await server.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settlement).expect(200)
    const transcript = async () => (await server.as(ada).get(`${path}/transcript`).expect(200)).slice(1)
    await eventually(async () => (await transcript()).length >= 3, LONG)
    // Once both agents are idle, no more events follow.
    for (const { actor } of [scout, critic]) {
      const inbox = () => server.as(actor).get('/api/actors/me/inbox').expect(200)
      await eventually(async () => (await inbox()).counts.unread === 0, LONG)
    }
    expect((await transcript()).map(({ posted_by_name, text }: PostedText) => `${posted_by_name}: ${text}`)).toEqual([
      'Scout: @Critic\nsay %40Scout%0Aask book the train',
      'Critic: @Scout\nask book the train',
      'Scout: book the train: once.',
    ])
    expect(await server.as(ada).get(`${path}/decisions`).expect(200)).toHaveLength(1)
  })
})

/** Two programs start for each agent, more than once. In milliseconds. */
const LONG = 60_000

interface PostedText {
  readonly posted_by_name: string
  readonly text: string
}
