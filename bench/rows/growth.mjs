import { BIG } from '../archive.mjs'
import { cursorsIn, pageRequests, requireFull } from '../pages.mjs'
import { Service } from '../service.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */
/** @import { Human } from '../service.mjs' */

const PAGES = 1_000
const YOUNG = 'young'

/** @type {Row} */
export const growth = {
  name: 'growth',
  title: 'list as the history grows',
  about:
    'The median time of GET /api/spaces/{id}/events after a random cursor, one connection, in a space with a million ' +
    'events and a database with five million, against a database with ten thousand in one space.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'list p50 with 1,000,000 events in the space and 5,000,000 in the database',
      side: 'long history',
      figure: 'p50',
      against: '10,000 events',
      bound: 'at most',
      must: 1.5,
      aim: 1.1,
    },
  ],
  async open({ sizes, archive }) {
    const long = await archive()
    const young = await openYoung(sizes.eventsOfYoung)
    return {
      sides: {
        'long history': await listing(long.service, long.human, BIG, sizes.seconds),
        '10,000 events': await listing(young.service, young.human, YOUNG, sizes.seconds),
      },
      close: () => young.service.close(),
    }
  },
}

/** @param {number} events */
async function openYoung(events) {
  const service = await Service.open()
  const human = await service.registerHuman('Ada')
  await service.openSpace(human, YOUNG)
  const speakers = [{ actor_id: human.actorId, display_name: human.name }]
  await service.fill([{ scope: human.scope, spaceId: YOUNG, share: 1, speakers }], events)
  return { service, human }
}

/** @param {Service} service @param {Human} human @param {string} space @param {number} seconds */
async function listing(service, human, space, seconds) {
  const { url, directory } = service
  const requests = pageRequests(human, await cursorsIn(service, human, [space], PAGES))
  requireFull(await answersTo(url, requests.slice(0, 10)))
  return () => wrk({ url, requests, connections: 1, seconds, directory })
}
