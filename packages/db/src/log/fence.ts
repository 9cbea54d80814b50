/**
 * The parts of the statement for appends that are about work claims. The row of a claim is locked, so whoever takes it next
 * waits until the events are there, and sees it as it is at that moment. Time is the clock of the database.
 */

/** The work claims that something is written with, as they are until it is there. */
export const CLAIMS = `), claims AS MATERIALIZED (
  SELECT c.tenant_id, c.space_id, c.claim_id, c.fence, c.holder_id, c.expires_at
  FROM work_claims c
  WHERE (c.tenant_id, c.space_id, c.claim_id) IN (SELECT tenant_id, space_id, claim_id FROM asked WHERE claim_id IS NOT NULL)
  ORDER BY c.tenant_id, c.space_id, c.claim_id
  FOR NO KEY UPDATE
`

export const CLAIM_IS_LOST = `WHEN a.claim_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM claims c
        WHERE c.tenant_id = a.tenant_id AND c.space_id = a.space_id AND c.claim_id = a.claim_id AND c.fence = a.fence
          AND c.holder_id = a.posted_by AND c.expires_at > clock_timestamp()
      ) THEN 'claim_lost'
      `

/** The first write with a claim that was handed over accepts it. */
export const ACCEPTED_CLAIMS = `, accepted_claims AS (
  UPDATE work_claims c SET is_accepted = true
  FROM numbered n JOIN asked a ON a.item = n.item
  WHERE c.tenant_id = n.tenant_id AND c.space_id = n.space_id AND c.claim_id = a.claim_id AND NOT c.is_accepted
)`
