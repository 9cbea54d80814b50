/**
 * A body for each operation that takes one, by its name. Sent as it stands, each works: the space is made by one of the
 * first. Only what an answer has told before is in words, such as the code of an invite.
 */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  'actor.register': { display_name: 'Ada', email: 'ada@example.org' },
  'actor.change': { display_name: 'Scout the Second' },
  'actor.rotateKey': { revoke_tokens: false },
  'actor.connect': { installation_id: 'laptop-1', agent_adapter: 'rest' },
  'actor.stop': { reason: 'It answers itself' },
  'actor.stopMyAgents': { reason: 'For tonight' },
  'space.create': { space_id: 'plans', description: 'Where to go next' },
  'space.change': { description: 'Where to go in spring' },
  'participant.join': {},
  'event.findMentions': { text: 'What do you think, @Scout?' },
  'event.speech': { text: 'Where shall we go?', metadata: { mood: 'curious' } },
  'event.response': { text: 'To the sea.' },
  'event.append': { text: 'Welcome back.', speaker_id: 'radio', speaker_name: 'Radio', speaker_type: 'transcript' },
  'event.appendBatch': {
    events: [
      { text: 'First, the weather.', speaker_id: 'radio', speaker_name: 'Radio' },
      { text: 'Sun at the coast.', speaker_id: 'radio', speaker_name: 'Radio' },
    ],
  },
  'inbox.done': {
    through: [{ space_id: 'plans', event_id: 'the event_id of an event' }],
    notices: ['the notice_id of a notice'],
  },
  'thread.start': { parent_event_id: 'the event_id of an event', subject: 'How to get there' },
  'decision.propose': { proposed_by: 'Ada', text: 'Go to the sea' },
  'decision.review': { verdict: 'approve', note: 'The sea is warm in June' },
  'policy.set': { settle: { who: 'anyone', approvals: 0 }, loop_guard: { total: 60, per_agent: 15 } },
  'tenantPolicy.set': { claims: 'no_members' },
  'decision.resolve': { resolved_by: 'Ada', resolution: 'Everybody likes the sea', status: 'resolved' },
  'link.create': { target_uri: 'https://example.org/timetable', link_type: 'related' },
  'token.create': { name: 'laptop' },
  'tenant.create': { name: 'Analysts' },
  'tenant.promote': { is_admin: true },
  'invite.create': { email: 'bob@example.org' },
  'invite.redeem': { code: 'the code of an invite' },
  'agentCode.create': { display_name: 'Scout', scopes: ['read', 'write'], space_ids: ['plans'] },
  'webhook.create': { url: 'https://example.org/hook', space_id: 'plans', payload: 'full' },
  'webhook.change': { types: ['events.appended'] },
  'webhook.replay': { since: 'beginning' },
  'agentCode.redeem': { code: 'the code of an agent', installation_id: 'laptop-1' },
}

/** What is put into paths: what those bodies make. Other ids are told by the answers. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = { space_id: 'plans' }
