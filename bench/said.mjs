import { appendStatement } from '@collab-spaces/db/statements'
import { appendOf, seededRandom, text } from '@collab-spaces/testing/history'
import { Varied } from './pgbench.mjs'

/** Events to be written: as requests, and as the statements that the service makes of them. */

/** @import { Human } from './service.mjs' */

const EVENT_ID = '00000000-0000-7000-8000-000000000000'
const SPACE_ID = 'space-of-chance'
const METADATA = { client: 'web', mood: 3 }
const ACCEPTING = /** @type {const} */ (['active'])

/** @param {number} count */
function texts(count) {
  const chance = seededRandom(11)
  return Array.from({ length: count }, () => text(chance))
}

/** So many texts, each said in every one of the spaces. @param {Human} human @param {readonly string[]} spaces @param {number} count */
export const speeches = (human, spaces, count) =>
  texts(count).flatMap((said) =>
    spaces.map((space) => ({
      method: 'POST',
      path: `/api/spaces/${space}/speech`,
      headers: { Authorization: `Bearer ${human.key}` },
      body: { text: said, metadata: METADATA },
    })),
  )

/** The same as statements, a new event each time, in the space with the number that chance gives. @param {Human} human @param {number} count */
export const appends = (human, count) =>
  texts(count).map((said) => {
    const draft = {
      event_id: EVENT_ID,
      space_id: SPACE_ID,
      speaker_id: human.actorId,
      speaker_name: human.name,
      speaker_type: 'human',
      text: said,
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: METADATA,
      posted_by: human.actorId,
    }
    const statement = appendStatement([appendOf(human.scope, draft, null)], ACCEPTING)
    const [asked, ...others] = statement.values
    const parts = { [EVENT_ID]: 'uuidv7()::text', [SPACE_ID]: "'space-' || :n" }
    return { ...statement, values: [new Varied(String(asked), parts), ...others] }
  })
