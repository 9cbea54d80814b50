import { seededRandom, text } from '@collab-spaces/testing/history'
import type { Row } from '../row.js'
import { wrk } from '../tools/wrk.js'
import { registerAgent } from '../workload/agents.js'
import { speechBody } from '../workload/speeches.js'

const BATCH = 100
const SPACES = 10

export const inbox: Row = {
  name: 'inbox',
  title: 'inbox of an agent with 10,000 unread',
  about:
    `The p99 of GET /api/actors/me/inbox, one connection, for an agent that 10,000 events in ${SPACES} spaces mention ` +
    'and that has marked none as done: a page of 50, regardless of the number of pending events.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'inbox with 10,000 unread, p99',
      side: 'service',
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 20,
      aim: 8,
    },
  ],
  async service({ sizes, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const agent = await registerAgent(service, human, 'Scout')
    const client = service.clientOf(human)
    const words = text(seededRandom(19))
    const speaker = { speaker_id: human.actorId, speaker_name: human.name }
    for (let n = 0; n < sizes.unread / BATCH; n++) {
      const said = speechBody(words)
      const metadata = { ...said.metadata, mentions: [agent.actorId] }
      const events = Array.from({ length: BATCH }, () => ({ ...speaker, ...said, metadata }))
      await client.event.appendBatch.mutate({ space_id: String(spaces[n % SPACES]), events })
    }
    const requests = [{ path: '/api/actors/me/inbox', headers: { Authorization: `Bearer ${agent.key}` } }]
    return {
      measures: { service: () => wrk({ url, requests, connections: 1, seconds: sizes.secondsOfOne, directory }) },
    }
  },
}
