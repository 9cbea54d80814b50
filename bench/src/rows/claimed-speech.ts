import type { Row } from '../row.js'
import { wrk } from '../tools/wrk.js'
import { fetchAll } from '../workload/request.js'
import { claimedSpeeches, speeches } from '../workload/speeches.js'

const TEXTS = 16
const CONNECTIONS = 16

export const claimedSpeech: Row = {
  name: 'claimed-speech',
  title: 'speech with a work claim',
  about:
    `POST /api/spaces/{id}/speech in 100 spaces from ${CONNECTIONS} connections, with a work claim that the statement ` +
    'checks, against the same without one.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'speech with a work claim',
      side: 'with a claim',
      figure: 'perSecond',
      against: 'without',
      bound: 'at least',
      must: 0.9,
      aim: 0.95,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const free = speeches(human, spaces, TEXTS)
    await fetchAll(url, free.slice(0, 1))
    const claimed = await claimedSpeeches(url, human, spaces, TEXTS)
    const load = { url, connections: CONNECTIONS, seconds, directory }
    return {
      measures: {
        without: () => wrk({ ...load, requests: free }),
        'with a claim': () => wrk({ ...load, requests: claimed }),
      },
    }
  },
}
