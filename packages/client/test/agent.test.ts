import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Actor, eventually, useDirectory, useProgram } from '@collab-spaces/testing'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

const directory = useDirectory()
let program: string

beforeAll(async () => {
  program = join(directory.path, 'mention-agent.mjs')
  const example = new URL('../examples/mention-agent.ts', import.meta.url)
  const built = await rolldown({ input: example.pathname, platform: 'node' })
  await built.write({ file: program, codeSplitting: false })
  await built.close()
})

/** Starts the example as a user would, and ends it after the test. */
function start(environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program], { env: environment, stdio: 'inherit' })
  onTestFinished(() => kill(child))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Creates a space, an agent with its environment, and a human who mentions it. */
async function agentsSpace() {
  const { ada, space_id, client, say } = await adasSpace(h)
  const agent: Actor = await h.registerAgent(ada)
  const ask = (text: string) => client.event.speech.mutate({ space_id, text, metadata: { mentions: [agent.actor_id] } })
  const answers = async () => {
    const events = await client.event.transcript.query({ space_id })
    return events.filter(({ posted_by }) => posted_by === agent.actor_id)
  }
  return {
    agent,
    say,
    ask,
    answers,
    unread: async () => (await h.as(agent).get('/api/actors/me/inbox').expect(200)).counts.unread,
    environment: { SPACES_URL: h.url, SPACES_TOKEN: agent.api_key },
  }
}

describe('the example agent', () => {
  it('answers only events that mention it', async () => {
    const { say, ask, answers, unread, environment } = await agentsSpace()
    await say('Not to you')
    const question = await ask('Where shall we go?')
    start(environment)
    await say('Nor this')
    await eventually(async () => (await answers()).length === 1)
    const [answer] = await answers()
    expect(answer).toMatchObject({ text: 'You said: Where shall we go?', parent_event_id: question.event_id })
    await eventually(async () => (await unread()) === 0)
  })

  it('answers the events of a conversation with it', async () => {
    const { ada, client } = await adasSpace(h)
    const agent: Actor = await h.registerAgent(ada)
    const { space_id } = await client.conversation.start.mutate({ actor_ids: [agent.actor_id] })
    start({ SPACES_URL: h.url, SPACES_TOKEN: agent.api_key })
    const question = await client.event.speech.mutate({ space_id, text: 'Where?' })
    const answer = await eventually(async () => (await client.event.transcript.query({ space_id }))[1])
    expect(answer).toMatchObject({ text: 'You said: Where?', parent_event_id: question.event_id })
    const { items } = await client.inbox.get.query({})
    expect(items).toMatchObject([{ event: answer, kinds: ['reply', 'direct'] }])
  })

  it.each(['inbox.get', 'event.response', 'inbox.done'])(
    'answers once when it is killed while the answer of %s is lost',
    async (call) => {
      const { ask, answers, environment } = await agentsSpace()
      const relay = await relayTo(h.url)
      const isLost = (url = '') => url.includes(call)
      relay.conduct = ({ url }) => (isLost(url) ? 'lose' : 'pass')
      const question = await ask('Where?')
      const first = start({ ...environment, SPACES_URL: relay.url })
      await eventually(() => relay.requests.some(isLost))
      await kill(first)

      relay.conduct = () => 'pass'
      start({ ...environment, SPACES_URL: relay.url })
      const next = await ask('And when?')
      await eventually(async () => (await answers()).length >= 2)
      expect((await answers()).map(({ parent_event_id }) => parent_event_id)).toEqual([
        question.event_id,
        next.event_id,
      ])
    },
  )

  it('answers each mention once, however often it is killed', async () => {
    const { ask, answers, unread, environment } = await agentsSpace()
    const questions: string[] = []
    for (let round = 0; round < 6; round++) {
      const child = start(environment)
      for (let n = 0; n < 5; n++) questions.push((await ask(`${round}.${n}`)).event_id)
      await eventually(async () => (await answers()).length > round * 4)
      await kill(child)
    }
    start(environment)
    await eventually(async () => (await unread()) === 0)
    expect((await answers()).map(({ parent_event_id }) => parent_event_id)).toEqual(questions)
  })

  it('ends when its key is replaced', async () => {
    const { agent, ask, answers, environment } = await agentsSpace()
    const child = start(environment)
    await ask('Are you there?')
    await eventually(async () => (await answers()).length === 1)
    const gone = once(child, 'exit')
    await h.as(agent).post(`/api/actors/${agent.actor_id}/rotate-key`).expect(200)
    expect(await gone).toEqual([1, null])
  })
})
