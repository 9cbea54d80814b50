import { appendStatement } from '@collab-spaces/db/statements'
import { appendOf, seededRandom, text } from '@collab-spaces/testing/history'
import type { Human } from '../service/service.js'
import { type Statement, SubstitutedValue } from '../tools/pgbench.js'
import { fetchAll, type Request } from './request.js'

/** Events to write: as requests, and as the statements of the service for them. */

const METADATA = { client: 'web', mood: 3 }
/** Placeholders in a statement for new values. */
const EVENT_ID = '00000000-0000-7000-8000-000000000000'
const SPACE_ID = 'space-of-chance'

/** Returns the body of a speech. */
export const speechBody = (text: string) => ({ text, metadata: METADATA })

export const speechRequest = ({ key }: Human, spaceId: string, text: string) => ({
  method: 'POST',
  path: `/api/spaces/${spaceId}/speech`,
  headers: { Authorization: `Bearer ${key}` },
  body: speechBody(text),
})

/** Returns requests that post each of a number of texts in each space. */
export const speeches = (human: Human, spaces: readonly string[], count: number): Request[] =>
  texts(count).flatMap((said) => spaces.map((space) => speechRequest(human, space, said)))

/** Returns the same requests with a work claim in each space, which this function takes. */
export async function claimedSpeeches(
  url: string,
  human: Human,
  spaces: readonly string[],
  count: number,
): Promise<Request[]> {
  const headers = { Authorization: `Bearer ${human.key}` }
  const body = { key: 'what is measured', ttl_s: 3_600 }
  const takes = spaces.map((space) => ({ method: 'POST', path: `/api/spaces/${space}/claims`, headers, body }))
  const claims = await fetchAll<{ claim_id: string; fence: number }>(url, takes)
  return texts(count).flatMap((said) =>
    spaces.map((space, at) => {
      const request = speechRequest(human, space, said)
      return {
        ...request,
        body: { ...request.body, claim: { claim_id: claims[at]?.claim_id, fence: claims[at]?.fence } },
      }
    }),
  )
}

/** Returns speeches as statements: a new event each time, in the space `space-N`, N being pgbench's random number. */
export const appends = (human: Human, count: number): Statement[] =>
  texts(count).map((said) => {
    const draft = {
      event_id: EVENT_ID,
      space_id: SPACE_ID,
      speaker_id: human.actorId,
      speaker_name: human.name,
      speaker_type: 'human',
      timestamp: '',
      parent_event_id: null,
      references: [],
      thread_id: null,
      posted_by: human.actorId,
      posted_by_name: human.name,
      posted_by_type: 'human' as const,
      ...speechBody(said),
    }
    const append = appendOf({ tenantId: human.tenantId, isGuest: false }, draft, null)
    const statement = appendStatement([append], ['active'], { mode: 'fast' })
    const [batch, ...others] = statement.values
    const expressions = { [EVENT_ID]: 'uuidv7()::text', [SPACE_ID]: "'space-' || :n" }
    // A statement that skips a locked space would have no retry here.
    return {
      text: statement.text.replace('SKIP LOCKED', ''),
      values: [new SubstitutedValue(String(batch), expressions), ...others],
    }
  })

/** Returns texts of the usual length, the same for each row. */
export function texts(count: number): string[] {
  const random = seededRandom(11)
  return Array.from({ length: count }, () => text(random))
}
