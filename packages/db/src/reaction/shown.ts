import { SHOWN_NAME } from '../access/shown-name.js'

/** The actors of each reaction that an event of a list names, the first ones. */
const NAMED = 10

/**
 * The reactions to an event `e` as a JSON array, in the order of their first actors; null for none. `most` limits how many
 * actors each names.
 */
export const reactionsTo = (e: string, most: string | number) => `(
  SELECT json_agg(json_build_object('emoji', emoji, 'count', count, 'actors', actors) ORDER BY first_at, emoji)
  FROM (
    SELECT emoji, count(*), min(reacted_at) AS first_at,
      json_agg(json_build_object('actor_id', actor_id, 'name', name) ORDER BY place) FILTER (WHERE place <= ${most}) AS actors
    FROM (
      SELECT r.emoji, r.actor_id, r.reacted_at, ${SHOWN_NAME} AS name,
        row_number() OVER (PARTITION BY r.emoji ORDER BY r.reacted_at, r.actor_id) AS place
      FROM reactions r JOIN memberships m USING (tenant_id, actor_id) JOIN actors a ON a.actor_id = r.actor_id
      WHERE r.tenant_id = ${e}.tenant_id AND r.space_id = ${e}.space_id AND r.position = ${e}.position
    ) r GROUP BY emoji
  ) r)`

/** The JSON of an event `e` with its reactions. `hasReactions` is whether any event of its page has some. */
export const withReactions = (wire: string, e: string, hasReactions: string) => `
  CASE WHEN ${hasReactions}
    THEN left(${wire}, -1) || coalesce(',"reactions":' || ${reactionsTo(e, NAMED)}, '') || '}' ELSE ${wire} END`

/** Whether an event of the space `s` after one position, up to another, has reactions. */
export const hasReactionsIn = (s: string, after: string, through: string) => `EXISTS (
  SELECT FROM reactions r
  WHERE r.tenant_id = ${s}.tenant_id AND r.space_id = ${s}.space_id AND r.position > ${after} AND r.position <= ${through})`

/** Whether the space of the parameters has reactions. */
export const hasReactions = (tenantId: string, spaceId: string) =>
  `EXISTS (SELECT FROM reactions WHERE tenant_id = ${tenantId} AND space_id = ${spaceId})`
