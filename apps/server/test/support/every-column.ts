import { query } from '@collab-spaces/testing'
import type { FurnishedTenant, Installation } from './cells.js'

/**
 * Fills each column of a furnished tenant that has references or parsed values, where no operation did. A new column
 * belongs here, unless an operation of the world fills it.
 */
export async function fillColumns(at: Installation, furnished: FurnishedTenant): Promise<void> {
  await decide(at, furnished)
  await fill(at, furnished)
}

/** Adds decisions with every field, claims, and a correction. */
async function decide(at: Installation, { actor, world }: FurnishedTenant): Promise<void> {
  const [me, space_id] = [at.as(actor), await world.id('space_id')]
  const space = `/api/spaces/${space_id}`
  const scout = await at.registerAgent(actor)
  const agent = at.as(scout)
  await agent.post(`${space}/join`).expect(200)
  const settle = { who: 'named', named: [actor.actor_id], approvals: 0 }
  await me.put(`${space}/policy`, { settle }).expect(200)
  const propose = (body: object = {}) =>
    agent
      .post(`${space}/decisions`, { text: 'Go', proposed_by: 'Scout', assignees: [actor.actor_id], ...body })
      .expect(200)
  const { decision_id } = await propose()
  await me.post(`${space}/threads`, { decision_id, subject: 'Go' }).expect(200)
  await me.post(`${space}/decisions/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
  const settlement = { resolved_by: 'the board', resolution: 'So be it', status: 'resolved' }
  await me.put(`${space}/decisions/${decision_id}/resolve`, settlement).expect(200)
  const successor = await propose({ supersedes: decision_id })
  await me.put(`${space}/decisions/${successor.decision_id}/resolve`, settlement).expect(200)
  const options = [
    { id: 'go', label: 'Go' },
    { id: 'stay', label: 'Stay', denies: true },
  ]
  const action = { type: 'deploy', arguments: { a: 1 }, used_by: [scout.actor_id], editable: true }
  const authorization = await propose({ options, action, expires_at: new Date(Date.now() + 86_400_000).toISOString() })
  const authorized = `${space}/decisions/${authorization.decision_id}`
  const { edit } = await me
    .put(`${authorized}/resolve`, { ...settlement, option: 'go', arguments: { a: 2 } })
    .expect(200)
  await agent.post(`${authorized}/use`, { digest: edit.digest }).expect(200)
  const headers = { 'idempotency-key': 'a' }
  const { file_id } = await me.post(`${space}/files?name=a.gif`, 'GIF89a', { headers }).expect(200)
  await me.post(`${space}/speech`, { text: 'Look', file_ids: [file_id] }).expect(200)
  await me.post(`${space}/claims`, { event_id: await world.id('event_id') }).expect(200)
  await me.post(`${space}/claims`, { decision_id }).expect(200)
  const { event_id } = await me.post(`${space}/speech`, { text: 'Teh plan' }).expect(200)
  await me.post(`${space}/speech`, { text: 'The plan', corrects: event_id }).expect(200)
}

async function fill(at: Installation, { tenantId, actor, world }: FurnishedTenant): Promise<void> {
  const [me, space] = [actor.actor_id, await world.id('space_id')]
  const ofTenant = `tenant_id = '${tenantId}'`
  const key = `'${tenantId}', '${me}', '${space}'`
  const limits = `'${JSON.stringify({ scopes: ['read'], space_ids: [space], tenant_id: tenantId })}'`
  const id = `substr(md5(random()::text), 1, 24)`
  await query(
    at.connection,
    `
    UPDATE tenants SET webhook_hosts = '["hooks.example.org"]', agent_scopes = '{read}', status_before = 'active'
      WHERE ${ofTenant};
    UPDATE actors SET default_space_id = '${space}', metadata = '{"a":1}' WHERE actor_id = '${me}';
    UPDATE actors SET stopped_by = '${me}', disabled_by = '${me}' WHERE actor_id = (
      SELECT actor_id FROM actors WHERE ${ofTenant} AND sponsor_id = '${me}' LIMIT 1);
    UPDATE api_keys SET limits = ${limits} WHERE actor_id = (
      SELECT actor_id FROM actors WHERE ${ofTenant} AND sponsor_id = '${me}' LIMIT 1);
    UPDATE personal_access_tokens SET limits = ${limits} WHERE actor_id = '${me}';
    INSERT INTO identities (identity_id, actor_id, issuer, subject, email, created_at, created_with)
      VALUES ('idn_' || ${id}, '${me}', 'https://id.example.org', ${id}, 'a@example.org', now(), '{${me}}');
    INSERT INTO passkeys (passkey_id, actor_id, name, credential_id, public_key, counter, created_at, created_with)
      VALUES ('pky_' || ${id}, '${me}', 'Key', uuid_send(gen_random_uuid()), '\\x01', 0, now(), '{${me}}');
    UPDATE spaces SET agent_runs = '{"${me}": 1}', guard_total = 90, guard_per_agent = 90 WHERE ${ofTenant} AND space_id = '${space}';
    UPDATE agent_codes SET space_ids = '{${space}}', key_limits = ${limits}, agent_id = '${me}' WHERE ${ofTenant};
    UPDATE invites SET default_space_id = '${space}', redeemed_by = '${me}' WHERE ${ofTenant};
    INSERT INTO space_owners VALUES ('${tenantId}', '${space}', '${me}') ON CONFLICT DO NOTHING;
    INSERT INTO space_preferences VALUES (${key}, true, 'all') ON CONFLICT DO NOTHING;
    INSERT INTO blocks VALUES ('${tenantId}', '${me}', '${me}', now()) ON CONFLICT DO NOTHING;
    INSERT INTO read_cursors (tenant_id, actor_id, space_id, done_through) VALUES (${key}, 1) ON CONFLICT DO NOTHING;
    INSERT INTO snoozes VALUES (${key}, 1, now(), 1) ON CONFLICT DO NOTHING;
    INSERT INTO reactions VALUES ('${tenantId}', '${space}', 1, '👍', '${me}', now()) ON CONFLICT DO NOTHING;
    INSERT INTO done_marks (tenant_id, actor_id, space_id, position, head, outcome) VALUES (${key}, 1, 1, 'declined');
    INSERT INTO notices (tenant_id, actor_id, space_id, kind, subject, source_id, details)
      VALUES (${key}, 'loop_guard', 'y', '${me}', '{}');
    UPDATE actors SET title = 'Pilot', time_zone = 'UTC' WHERE actor_id = '${me}';
    INSERT INTO notification_settings (tenant_id, actor_id, delay_minutes, quiet_from, quiet_until, time_zone, notices) VALUES ('${tenantId}', '${me}', 15, '22:00', '06:00', 'UTC', 'mentions')
      ON CONFLICT (tenant_id, actor_id) DO UPDATE SET quiet_from = '22:00', quiet_until = '06:00';
    UPDATE notification_channels SET lease_id = NULL, told = '{"${space}": 1}', due_at = 'infinity',
      batch = '{"id": "${tenantId}", "kind": "digest", "through": {"${space}": 1}, "notices": []}' WHERE ${ofTenant};
    INSERT INTO summaries VALUES ('${tenantId}', '${space}', gen_random_uuid(), '\\x00', 'Text', 1, 'model', now());
    INSERT INTO webhooks (tenant_id, webhook_id, owner_id, url, inbox_of, types, payload, reach, has_reach, created_at,
        disabled_at, disabled_reason, created_with)
      VALUES ('${tenantId}', 'whk_' || ${id}, '${me}', 'https://127.0.0.1:9/', '${me}', '{attention.raised}', 'thin',
        '{${space}}', true, now(), now(), 'disabled', '{${me}}');
    UPDATE incoming_webhooks SET template = '{{type}}', people = '{"octocat": "${me}"}' WHERE ${ofTenant};
    UPDATE webhook_cursors SET message_type = 'events.appended' WHERE ${ofTenant};
    UPDATE webhook_attempts SET space_id = '${space}' WHERE ${ofTenant};
    INSERT INTO log_tiles (tenant_id, space_id, tree, level, index, hash)
      SELECT '${tenantId}', '${space}', 'events', 9, index, '\\x00' FROM generate_series(0, 1) AS index;
    INSERT INTO erasures (tenant_id, space_id, noun, subject_id, act_hashes, event_hashes, events, requested_by, started_at,
        completed_at)
      VALUES ('${tenantId}', '${space}', 'events', '0', '{}', '{}', 0, 'Ada', now(), now());
    `,
  )
}
