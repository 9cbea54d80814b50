import { IS_NEW_RECIPIENT } from './revision.js'

/** An actor takes part in a thread if it has posted one of so many of its newest events. */
const THREAD_EVENTS = 50

/**
 * The actors that an event addresses: those that it mentions, the poster of the event that it replies to, the actors that
 * take part in its thread, and in a conversation each participant. An actor takes part in a thread if it started it, posted
 * the event that it starts on, or posted one of its newest events; in that of a decision, if it proposed the decision or is
 * asked to settle it. Only members of the tenant who see the space are
 * addressed, and never the poster. A correction addresses only those it mentions and no earlier text addressed. An actor is addressed once, whatever the number of reasons. The heads are written in the
 * order of their key; as each belongs to a space that is locked, no other statement writes them meanwhile.
 */
export const ADDRESS = `
), mentioned AS (
  INSERT INTO mentions (tenant_id, space_id, participant_id, position)
  SELECT n.tenant_id, n.space_id, m.participant_id, n.position
  FROM numbered n JOIN asked USING (item) CROSS JOIN LATERAL json_array_elements_text(asked.mentions) AS m(participant_id)
), addressed AS MATERIALIZED (
  SELECT n.item, n.tenant_id, n.space_id, n.position, t.actor_id,
    bool_or(t.kind = 'mention') AS is_mention, bool_or(t.kind = 'reply') AS is_reply, bool_or(t.kind = 'thread') AS in_thread,
    bool_or(t.kind = 'direct') AS is_direct
  FROM numbered n JOIN asked USING (item) CROSS JOIN LATERAL (
    SELECT m.actor_id, 'mention' AS kind FROM json_array_elements_text(asked.mentions) AS m(actor_id)
    UNION ALL
    SELECT p.posted_by, 'reply' FROM events p
    WHERE p.tenant_id = n.tenant_id AND p.space_id = n.space_id AND p.event_id = asked.parent_event_id
    UNION ALL
    SELECT t.posted_by, 'thread' FROM threads t
    WHERE t.tenant_id = n.tenant_id AND t.space_id = n.space_id AND t.thread_id = asked.thread_id
    UNION ALL
    SELECT p.posted_by, 'thread' FROM threads t JOIN events p
      ON p.tenant_id = t.tenant_id AND p.space_id = t.space_id AND p.event_id = t.parent_event_id
    WHERE t.tenant_id = n.tenant_id AND t.space_id = n.space_id AND t.thread_id = asked.thread_id
    UNION ALL
    SELECT unnest(d.posted_by || d.assignees), 'thread' FROM decisions d
    WHERE d.tenant_id = n.tenant_id AND d.space_id = n.space_id AND d.decision_id = coalesce(asked.decision_id, (
      SELECT t.decision_id FROM threads t
      WHERE t.tenant_id = n.tenant_id AND t.space_id = n.space_id AND t.thread_id = asked.thread_id))
    UNION ALL
    SELECT e.posted_by, 'thread' FROM (
      SELECT posted_by FROM events
      WHERE tenant_id = n.tenant_id AND space_id = n.space_id AND thread_id = asked.thread_id
      ORDER BY position DESC LIMIT ${THREAD_EVENTS}
    ) e
    UNION ALL
    SELECT p.actor_id, 'direct' FROM participants p
    WHERE asked.in_conversation AND p.tenant_id = n.tenant_id AND p.space_id = n.space_id
  ) t
  WHERE t.actor_id <> asked.posted_by AND ${IS_NEW_RECIPIENT}
    AND (
      SELECT n.visibility = 'open' AND NOT a.is_guest OR EXISTS (
        SELECT FROM actors g JOIN participants p ON p.actor_id = g.actor_id
        WHERE (g.actor_id = a.actor_id OR g.sponsor_id = a.actor_id) AND p.tenant_id = n.tenant_id AND p.space_id = n.space_id
      )
      FROM actors a WHERE a.actor_id = t.actor_id AND a.tenant_id = n.tenant_id AND a.deleted_at IS NULL)
  GROUP BY n.item, n.tenant_id, n.space_id, n.position, t.actor_id
), attended AS (
  INSERT INTO attention (tenant_id, space_id, actor_id, position, is_mention, is_reply, in_thread, is_direct)
  SELECT tenant_id, space_id, actor_id, position, is_mention, is_reply, in_thread, is_direct FROM addressed
), raised AS (
  INSERT INTO attention_heads (tenant_id, actor_id, space_id, head, raised_at)
  SELECT d.tenant_id, d.actor_id, d.space_id, max(d.position), a.moment
  FROM addressed d JOIN advanced a USING (tenant_id, space_id)
  GROUP BY d.tenant_id, d.actor_id, d.space_id, a.moment
  ORDER BY d.tenant_id, d.actor_id, d.space_id
  ON CONFLICT (tenant_id, actor_id, space_id) DO UPDATE SET head = excluded.head, raised_at = excluded.raised_at`
