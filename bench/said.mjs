import { appendStatement } from '@collab-spaces/db/statements'
import { appendOf, chanceOf, text } from './history/index.mjs'
import { Fresh } from './pgbench.mjs'

/** Events to be written: as requests, and as the statements that the service makes of them. */

/** @import { Human } from './service.mjs' */

const EVENT_ID = '00000000-0000-7000-8000-000000000000'
const METADATA = { client: 'web', mood: 3 }
const ACCEPTING = /** @type {const} */ (['active'])

/** @param {Human} human @param {readonly string[]} spaces @param {number} count */
export function speeches(human, spaces, count) {
  const chance = chanceOf(11)
  return Array.from({ length: count }, (_, n) => ({
    method: 'POST',
    path: `/api/spaces/${spaces[n % spaces.length]}/speech`,
    headers: { Authorization: `Bearer ${human.key}` },
    body: { text: text(chance), metadata: METADATA },
  }))
}

/** @param {Human} human @param {readonly string[]} spaces @param {number} count */
export function appends(human, spaces, count) {
  const chance = chanceOf(11)
  return Array.from({ length: count }, (_, n) => {
    const draft = {
      event_id: EVENT_ID,
      space_id: /** @type {string} */ (spaces[n % spaces.length]),
      speaker_id: human.actorId,
      speaker_name: human.name,
      speaker_type: 'human',
      text: text(chance),
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: METADATA,
      posted_by: human.actorId,
    }
    const statement = appendStatement([appendOf(human.scope, draft, null)], ACCEPTING)
    const [asked, ...others] = statement.values
    return { ...statement, values: [new Fresh(String(asked), EVENT_ID), ...others] }
  })
}
