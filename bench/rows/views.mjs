import { BIG } from '../archive.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */

const VARIANTS = 100

/** @type {Row} */
export const views = {
  name: 'views',
  title: 'activity, mentions, thread and status of a space of 1,000,000 events',
  about: 'The p99 of GET …/activity, …/mentions/{id}, …/threads/{id} and …/status of the big space, one connection.',
  tools: ['wrk'],
  claims: ['activity', 'mentions', 'thread', 'status'].map((side) => ({
    measured: `${side} p99`,
    side,
    figure: 'p99',
    bound: 'at most',
    unit: 'ms',
    must: 15,
    aim: 5,
  })),
  async open({ sizes, archive }) {
    const { service, human } = await archive()
    const { url, directory } = service
    const space = `/api/spaces/${BIG}`
    const inBig = [human.scope, BIG, VARIANTS]
    const mentioned = await service.query(
      `SELECT participant_id, event_id FROM mentions JOIN events USING (tenant_id, space_id, position)
       WHERE tenant_id = $1 AND space_id = $2 ORDER BY md5(position::text) LIMIT $3`,
      inBig,
    )
    const threads = await service.query(
      'SELECT thread_id FROM threads WHERE tenant_id = $1 AND space_id = $2 ORDER BY md5(thread_id::text) LIMIT $3',
      inBig,
    )

    const viewing = async (/** @type {readonly string[]} */ paths) => {
      const requests = paths.map((path) => ({ path: space + path, headers: { Authorization: `Bearer ${human.key}` } }))
      await answersTo(url, requests)
      return () => wrk({ url, requests, connections: 1, seconds: sizes.secondsOfOne, directory })
    }
    return {
      sides: {
        activity: await viewing(['/activity']),
        mentions: await viewing(
          mentioned.map(({ participant_id, event_id }) => `/mentions/${participant_id}?since=${event_id}`),
        ),
        thread: await viewing(threads.map(({ thread_id }) => `/threads/${thread_id}`)),
        status: await viewing(['/status']),
      },
    }
  },
}
