import type { Measure, Row } from '../row.js'
import { BIG } from '../service/archive.js'
import type { Checkout } from '../service/checkout.js'
import { type Human, Service, speakerOf } from '../service/service.js'
import type { Sizes } from '../sizes.js'
import { wrk } from '../tools/wrk.js'
import { cursorsIn, pageRequests, requireFullPages } from '../workload/pages.js'

const YOUNG = 'young'

export const growth: Row = {
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
  async service({ checkout, sizes, archive }) {
    const long = await archive()
    const young = await openYoung(checkout, sizes.eventsOfYoung)
    return {
      measures: {
        'long history': await listing(long.service, long.human, BIG, sizes),
        '10,000 events': await listing(young.service, young.human, YOUNG, sizes),
      },
      close: young.service.close,
    }
  },
}

async function openYoung(checkout: Checkout, events: number) {
  const service = await Service.open(checkout)
  const human = await service.registerHuman('Ada')
  await service.openSpace(human, YOUNG)
  await service.fill([{ tenantId: human.tenantId, spaceId: YOUNG, share: 1, speakers: [speakerOf(human)] }], events)
  return { service, human }
}

async function listing(service: Service, human: Human, space: string, sizes: Sizes): Promise<Measure> {
  const { url, directory } = service
  const { seconds, pagesOfHistory } = sizes
  const requests = pageRequests(human, await cursorsIn(service, human, [space], pagesOfHistory))
  // Requests all pages once, so that a reused history is in memory like a newly loaded one.
  await requireFullPages(url, requests)
  return () => wrk({ url, requests, connections: 1, seconds, directory })
}
