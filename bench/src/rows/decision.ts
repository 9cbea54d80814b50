import { oneOf, seededRandom, text } from '@collab-spaces/testing/history'
import { startBaseline } from '../baselines/program.js'
import type { Row } from '../row.js'
import type { Stage } from '../service/stage.js'
import { wrk } from '../tools/wrk.js'
import { fetchAll, type Request } from '../workload/request.js'

const CONNECTIONS = 16

export const decision: Row = {
  name: 'decision',
  title: 'a typical cold route: get decision, 16 connections',
  about:
    'GET /api/spaces/{id}/decisions/{id}, against a bare Express with pg that looks up the key and the decision in ' +
    'the same tables and makes JSON of the row, without any check of what it is sent.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'a typical cold route (get decision)',
      side: 'service',
      figure: 'perSecond',
      against: 'Express + pg',
      bound: 'at least',
      must: 0.5,
      aim: 0.8,
    },
  ],
  async service({ sizes: { seconds, requestsPerView }, stage }) {
    const { service } = await stage()
    const { url, directory } = service
    const requests = await decisionRequests(await stage(), '/api', requestsPerView)
    await fetchAll(url, requests)
    return { measures: { service: () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory }) } }
  },
  async baselines({ sizes: { seconds, requestsPerView }, stage }) {
    const { service } = await stage()
    const { connection, directory } = service
    const { url, stop } = await startBaseline('express', [JSON.stringify(connection)])
    const requests = await decisionRequests(await stage(), '', requestsPerView)
    await fetchAll(url, requests)
    const measure = () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory })
    return { measures: { 'Express + pg': measure }, close: stop }
  },
}

/** Proposes decisions, and returns requests for them. */
async function decisionRequests({ service, human, spaces }: Stage, prefix: string, count: number): Promise<Request[]> {
  const random = seededRandom(13)
  const client = service.clientOf(human)
  const requests: Request[] = []
  for (let n = 0; n < count; n++) {
    const proposal = { space_id: oneOf(spaces, random), proposed_by: human.actorId, text: text(random) }
    const { space_id, decision_id } = await client.decision.propose.mutate(proposal)
    requests.push({
      path: `${prefix}/spaces/${space_id}/decisions/${decision_id}`,
      headers: { Authorization: `Bearer ${human.key}` },
    })
  }
  return requests
}
