import { oneOf, seededRandom, text } from '@collab-spaces/testing/history'
import { startBaseline } from '../baseline/program.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */

const CONNECTIONS = 16
const DECISIONS = 100

/** @type {Row} */
export const decision = {
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
  async open({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, connection, directory } = service
    const chance = seededRandom(13)
    /** @type {{ space_id: string, decision_id: string }[]} */
    const decisions = []
    for (let n = 0; n < DECISIONS; n++) {
      const proposal = { space_id: oneOf(spaces, chance), proposed_by: human.actorId, text: text(chance) }
      decisions.push(await service.clientOf(human).decision.propose.mutate(proposal))
    }
    const requests = (/** @type {string} */ prefix) =>
      decisions.map(({ space_id, decision_id }) => ({
        path: `${prefix}/spaces/${space_id}/decisions/${decision_id}`,
        headers: { Authorization: `Bearer ${human.key}` },
      }))
    const express = await startBaseline('express.mjs', [JSON.stringify(connection)])
    await answersTo(url, requests('/api'))
    await answersTo(express.url, requests(''))
    const load = { connections: CONNECTIONS, seconds, directory }
    return {
      sides: {
        service: () => wrk({ url, requests: requests('/api'), ...load }),
        'Express + pg': () => wrk({ url: express.url, requests: requests(''), ...load }),
      },
      close: express.stop,
    }
  },
}
