import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@collab-spaces/client'
import { percentiles } from '../report/numbers.js'
import type { Figures, Row } from '../row.js'
import type { Human } from '../service/service.js'
import { publish } from '../streams/publish.js'
import { MARK, micros, STAMP_LENGTH, stamp } from '../streams/stamp.js'
import { registerAgent } from '../workload/agents.js'
import { speechBody, speechRequest } from '../workload/speeches.js'

const AGENTS = 50
const PER_SECOND = 50

export const wakeUp: Row = {
  name: 'wake-up',
  title: `agents woken on another instance, ${PER_SECOND} mentions a second`,
  about:
    `Two servers on one PostgreSQL, ${AGENTS} agents that wait for their inboxes at one of them, and a human who ` +
    'mentions them in turn at the other: the delay of an event from just before the request that writes it ' +
    'to its delivery to the agent, which marks it as done and waits again.',
  tools: [],
  claims: [
    {
      measured: 'mention written → inbox answered by another instance, p99',
      side: 'service',
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 50,
      aim: 20,
    },
    {
      measured: 'the same: delivered once',
      side: 'service',
      figure: 'delivered',
      bound: 'at least',
      unit: '%',
      must: 100,
      aim: 100,
    },
  ],
  async service({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const agents: Human[] = []
    for (let n = 0; n < AGENTS; n++) agents.push(await registerAgent(service, human, `Agent ${n}`))
    const other = await service.startAnother()
    // Waits for readiness, as a balancer does. Otherwise the first request would dominate the p99 of a short run.
    await fetch(new URL('/ready', other.server.url))
    await Promise.all(agents.map(({ key }) => createClient({ url: other.server.url, token: key }).inbox.get.query({})))
    const measure = async (): Promise<Figures> => {
      const waiting = agents.map((agent) => new WaitingAgent(other.server.url, agent))
      const sent = await publish({
        url: service.url,
        requestOf: (n) => mention(human, String(spaces[n % spaces.length]), agents[n % AGENTS] as Human),
        perSecond: PER_SECOND,
        seconds: sizes.streamSeconds,
      })
      const lateness = (await Promise.all(waiting.map((agent) => agent.end(sent / AGENTS)))).flat()
      return { delivered: (100 * lateness.length) / sent, ...percentiles(lateness) }
    }
    return { measures: { service: measure }, close: other.stop }
  },
}

function mention(human: Human, spaceId: string, { actorId }: Human) {
  const text = `${stamp()} Are you there?`
  const { metadata } = speechBody(text)
  return { ...speechRequest(human, spaceId, text), body: { text, metadata: { ...metadata, mentions: [actorId] } } }
}

/** The time after which an event counts as lost. */
const LOST_AFTER_MS = 5_000

/** An agent that long-polls its inbox, and records the delay of each event. */
class WaitingAgent {
  readonly #lateness: number[] = []
  readonly #ending = new AbortController()
  readonly #loop: Promise<void>

  constructor(url: string, { key }: Human) {
    this.#loop = this.#run(createClient({ url, token: key }))
    // Awaited at the end; until then a rejection must not end the process.
    this.#loop.catch(() => {})
  }

  /** Returns the delays in milliseconds, once the expected number has arrived or no more do. */
  async end(expected: number): Promise<number[]> {
    const deadline = performance.now() + LOST_AFTER_MS
    while (this.#lateness.length < expected && performance.now() < deadline) await delay(10)
    this.#ending.abort()
    await this.#loop
    if (this.#lateness.length > expected) throw new Error('an agent got an event twice')
    return this.#lateness
  }

  async #run(client: Client): Promise<void> {
    const { signal } = this.#ending
    try {
      for (;;) {
        const { items, done } = await client.inbox.get.query({ wait: 50 }, { signal })
        const now = micros()
        for (const { event } of items) {
          this.#lateness.push((now - Number(event.text.slice(MARK.length, STAMP_LENGTH))) / 1_000)
        }
        await client.inbox.done.mutate(done)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
