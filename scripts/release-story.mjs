// A small history with something of everything that is stored, by which every operation is used. See release-data.mjs.

/**
 * `call` makes a request and resolves to its answer; `opened` is called when there is a space to write to. Resolves to
 * what is to be asked about it all, and with which key.
 */
export async function live(call, opened) {
  const get = (key, path) => call(key, 'GET', path)
  const post = (key, path, body = {}) => call(key, 'POST', path, body)
  const patch = (key, path, body) => call(key, 'PATCH', path, body)
  const put = (key, path, body) => call(key, 'PUT', path, body)
  const remove = (key, path) => call(key, 'DELETE', path)

  const ada = await post(undefined, '/api/actors', { display_name: 'Ada', email: 'ada@example.org' })
  const tenant = await post(ada.api_key, '/api/tenants', { name: 'Analysts' })
  const invite = await post(ada.api_key, '/api/invites', {})
  const bob = await post(undefined, '/api/actors', {
    display_name: 'Bob',
    email: 'bob@example.org',
    code: invite.code,
  })
  const scout = await post(ada.api_key, '/api/actors', { display_name: 'Scout', actor_type: 'agent' })
  const token = await post(ada.api_key, '/api/personal-access-tokens', { name: 'laptop' })

  for (const space_id of ['plans', 'archive']) {
    await post(ada.api_key, '/api/spaces', {
      space_id,
      description: `About ${space_id}`,
      links: ['https://example.org/'],
    })
    for (const { api_key } of [ada, bob]) await post(api_key, `/api/spaces/${space_id}/join`)
  }
  opened()
  const space = '/api/spaces/plans'
  await post(scout.api_key, `${space}/join`, { agent_adapter: 'rest' })
  const question = await post(ada.api_key, `${space}/speech`, {
    text: 'Where shall we go, @Scout? Vielleicht ans Meer — 海へ行こう 🌊',
    metadata: { mentions: [scout.actor_id], mood: 'curious' },
  })
  const thread = await post(scout.api_key, `${space}/threads`, {
    parent_event_id: question.event_id,
    subject: 'Where to',
  })
  await post(scout.api_key, `${space}/response`, {
    text: 'To the sea.',
    parent_event_id: question.event_id,
    thread_id: thread.thread_id,
  })
  await post(bob.api_key, `${space}/events`, {
    text: 'Recorded earlier',
    speaker_id: 'guest',
    speaker_name: 'A guest',
    speaker_type: 'transcript',
    references: ['file:///recording.wav'],
  })
  await post(ada.api_key, `${space}/mentions`, { text: 'Is @Scout there?' })
  await post(bob.api_key, `${space}/events/batch`, {
    events: ['One', 'Two'].map((text) => ({
      text,
      speaker_id: 'guest',
      speaker_name: 'A guest',
      idempotency_key: text,
    })),
  })

  const { notices } = await get(scout.api_key, '/api/actors/me/inbox')
  await post(scout.api_key, '/api/actors/me/inbox/done', {
    through: [{ space_id: 'plans', event_id: question.event_id }],
    notices: (notices ?? []).map(({ notice_id }) => notice_id),
  })

  const decisions = []
  for (const text of ['Go to the sea', 'Go to the mountains', 'Stay at home']) {
    decisions.push(await post(ada.api_key, `${space}/decisions`, { proposed_by: ada.actor_id, text }))
  }
  await post(bob.api_key, `${space}/decisions/${decisions[0].decision_id}/reviews`, { verdict: 'approve' })
  for (const [index, status] of [
    ['0', 'resolved'],
    ['1', 'rejected'],
  ]) {
    await put(bob.api_key, `${space}/decisions/${decisions[index].decision_id}/resolve`, {
      resolved_by: bob.actor_id,
      resolution: `It was ${status}`,
      status,
    })
  }
  await put(ada.api_key, `${space}/policy`, { loop_guard: { total: 100, per_agent: 50 } })
  await post(scout.api_key, `${space}/response`, { text: 'Guarded.', parent_event_id: question.event_id })

  // Where nobody listens.
  const url = 'https://127.0.0.1:9/'
  const hook = await post(ada.api_key, '/api/webhooks', { url, space_id: 'plans', from: 'beginning' })
  const ended = await post(scout.api_key, '/api/webhooks', { url, inbox_of: scout.actor_id })
  const path = `/api/webhooks/${hook.webhook_id}`
  await post(ada.api_key, `${path}/test`)
  await post(ada.api_key, `${path}/rotate-secret`)
  await post(ada.api_key, `${path}/replay`, { since: question.event_id })
  await patch(ada.api_key, path, { types: ['events.appended'], payload: 'full' })
  await remove(scout.api_key, `/api/webhooks/${ended.webhook_id}`)
  await get(ada.api_key, path)

  await post(ada.api_key, `${space}/links`, { target_id: 'archive', link_type: 'relates_to' })
  const short = await post(ada.api_key, `${space}/links`, { target_uri: 'https://example.org/maps' })
  await remove(ada.api_key, `${space}/links/${short.link_id}`)
  await patch(ada.api_key, '/api/spaces/archive', { description: 'About what was', status: 'paused' })
  await patch(ada.api_key, '/api/spaces/archive', { status: 'active' })
  await post(bob.api_key, '/api/spaces/archive/leave')
  await post(ada.api_key, '/api/spaces/archive/archive')

  await patch(ada.api_key, `/api/actors/${scout.actor_id}`, { metadata: { colour: 'red' } })
  const installation_id = 'laptop-1'
  await post(ada.api_key, `/api/actors/${scout.actor_id}/connect`, { installation_id })
  await post(ada.api_key, `/api/actors/${scout.actor_id}/release`)
  await post(ada.api_key, '/api/actors/me/agents/stop', { reason: 'Lunch' })
  await post(ada.api_key, `/api/actors/${scout.actor_id}/start`)
  await post(ada.api_key, `/api/actors/${scout.actor_id}/stop`)
  await post(ada.api_key, `/api/actors/${scout.actor_id}/start`)
  const { api_key: replaced } = await post(ada.api_key, `/api/actors/${scout.actor_id}/rotate-key`)

  const code = await post(ada.api_key, '/api/agent-codes', { display_name: 'Ranger', space_ids: ['plans'] })
  const ranger = await post(undefined, '/api/agent-codes/redeem', { code: code.code, installation_id })
  await remove(ada.api_key, `/api/actors/${ranger.actor_id}`)
  const unused = await post(ada.api_key, '/api/agent-codes', { display_name: 'Nobody' })
  await remove(ada.api_key, `/api/agent-codes/${unused.code_id}`)

  const lost = await post(ada.api_key, '/api/personal-access-tokens', { name: 'lost', scopes: ['read'] })
  await get(lost.token, '/api/actors/me')
  await remove(ada.api_key, `/api/personal-access-tokens/${lost.pat_id}`)

  const grace = await post(undefined, '/api/actors', { display_name: 'Grace', email: 'grace@example.org' })
  const welcome = await post(ada.api_key, '/api/invites', { default_space_id: 'plans' })
  await post(grace.api_key, '/api/invites/redeem', { code: welcome.code })
  const members = `/api/tenants/${tenant.tenant_id}/members`
  await patch(ada.api_key, `${members}/${grace.actor_id}`, { is_admin: true })
  await post(grace.api_key, `/api/tenants/${tenant.tenant_id}/leave`)
  const eve = await post(undefined, '/api/actors', {
    display_name: 'Eve',
    email: 'eve@example.org',
    code: (await post(ada.api_key, '/api/invites')).code,
  })
  await remove(ada.api_key, `${members}/${eve.actor_id}`)
  const revoked = await post(ada.api_key, '/api/invites')
  await remove(ada.api_key, `/api/invites/${revoked.invite_id}`)

  const decision = `${space}/decisions/${decisions[0].decision_id}`
  const ofAda = [
    '/api/actors/me',
    '/api/actors/me/agents',
    '/api/actors/me/spaces',
    `/api/tenants/${tenant.tenant_id}`,
    members,
    '/api/spaces',
    `${space}/status`,
    '/api/spaces/archive/status',
    `${space}/participants`,
    `${space}/policy`,
    `${space}/events`,
    `${space}/events/${question.event_id}`,
    `${space}/transcript`,
    `${space}/threads`,
    `${space}/threads/${thread.thread_id}`,
    `${space}/mentions/${scout.actor_id}`,
    `${space}/decisions`,
    `${space}/decisions/summary`,
    decision,
    `${decision}/acts`,
    `${space}/links`,
    '/api/search?q=sea',
  ]
  // Asked, so that it is known what the database is asked; the answers are of the moment.
  for (const path of [
    `${space}/activity`,
    `${space}/summary`,
    `${space}/context`,
    '/api/actors/me/inbox',
    '/api/audit',
    '/api/invites',
    '/api/agent-codes',
    '/api/personal-access-tokens',
    '/api/webhooks',
  ])
    await get(ada.api_key, path)
  return [
    ...ofAda.map((path) => ({ path, key: ada.api_key })),
    ...[bob.api_key, replaced, token.token].map((key) => ({ path: `${space}/events?tail=true&limit=2`, key })),
  ]
}
