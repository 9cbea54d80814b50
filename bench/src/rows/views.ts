import type { Claim, Measure, Row } from '../row.js'
import { BIG } from '../service/archive.js'
import { wrk } from '../tools/wrk.js'
import { fetchAll } from '../workload/request.js'

export const views: Row = {
  name: 'views',
  title: 'activity, mentions, thread, status and context of a space of 1,000,000 events',
  about:
    'The p99 of GET …/activity, …/mentions/{id}, …/threads/{id}, …/status and …/context (8,000 tokens, an event in ' +
    'focus) of the big space, one connection.',
  tools: ['wrk'],
  claims: [
    ...['activity', 'mentions', 'thread', 'status'].map((side) => claimOf(side, { must: 15, aim: 5 })),
    claimOf('context', { must: 100, aim: 60 }),
  ],
  async service({ sizes, archive }) {
    const { service, human } = await archive()
    const { url, directory } = service
    const inBig = [human.tenantId, BIG, sizes.requestsPerView]
    const mentioned = await service.query<{ participant_id: string; event_id: string }>(
      `SELECT participant_id, event_id FROM mentions JOIN events USING (tenant_id, space_id, position)
       WHERE tenant_id = $1 AND space_id = $2 ORDER BY md5(position::text) LIMIT $3`,
      inBig,
    )
    const threads = await service.query<{ thread_id: string }>(
      'SELECT thread_id FROM threads WHERE tenant_id = $1 AND space_id = $2 ORDER BY md5(thread_id::text) LIMIT $3',
      inBig,
    )

    const viewing = async (paths: readonly string[]): Promise<Measure> => {
      const headers = { Authorization: `Bearer ${human.key}` }
      const requests = paths.map((path) => ({ path: `/api/spaces/${BIG}${path}`, headers }))
      await fetchAll(url, requests)
      return () => wrk({ url, requests, connections: 1, seconds: sizes.secondsOfOne, directory })
    }
    return {
      measures: {
        activity: await viewing(['/activity']),
        mentions: await viewing(
          mentioned.map(({ participant_id, event_id }) => `/mentions/${participant_id}?since=${event_id}`),
        ),
        thread: await viewing(threads.map(({ thread_id }) => `/threads/${thread_id}`)),
        status: await viewing(['/status']),
        context: await viewing(mentioned.map(({ event_id }) => `/context?focus=${event_id}`)),
      },
    }
  },
}

function claimOf(side: string, bounds: Pick<Claim, 'must' | 'aim'>): Claim {
  return { measured: `${side} p99`, side, figure: 'p99', bound: 'at most', unit: 'ms', ...bounds }
}
