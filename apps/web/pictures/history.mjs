// Creates the content of the pictures over the API.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createClient } from '@collab-spaces/client'

/** Creates two people, and an agent of one of them. */
export async function makePeople(url) {
  const human = (display_name, email) => createClient({ url }).actor.register.mutate({ display_name, email })
  const ada = await human('Ada Lovelace', 'ada@example.org')
  const grace = await human('Grace Hopper', 'grace@example.org')
  const asAda = createClient({ url, token: ada.api_key })
  const scout = await asAda.actor.register.mutate({ display_name: 'Scout', actor_type: 'agent' })
  return { ada, grace, scout }
}

/** Creates a space with a pending decision. */
export async function makeHistory(url, { ada, grace, scout }) {
  const [a, g, s] = [ada, grace, scout].map(({ api_key }) => createClient({ url, token: api_key }))
  const spaces = {
    'spring-release': 'Ship 2.4 before the conference: what is in, what waits, who does what',
    'trip-to-lisbon': 'Where to go, when, and by which train',
    'incident-0412': 'Queue backlog on the 12th of April',
  }
  for (const [space_id, description] of Object.entries(spaces)) {
    await a.space.create.mutate({ space_id, description })
    for (const client of [a, g, s]) await client.participant.join.mutate({ space_id })
  }
  const space_id = 'spring-release'
  const metadata = { mentions: [scout.actor_id] }
  await g.event.speech.mutate({ space_id: 'trip-to-lisbon', text: 'Shall we take the early train?' })
  await a.event.speech.mutate({
    space_id,
    text: 'Two things are open for **2.4**: the importer and the new search. What is the state of the importer?',
  })
  await g.event.speech.mutate({
    space_id,
    text: 'It passes all of its tests. It is untried with the really large archives, though.',
  })
  const question = await a.event.speech.mutate({
    space_id,
    text: '@Scout can you run the 200 GB archive against the branch and tell us peak memory?',
    metadata,
  })
  const answer = await s.event.response.mutate({
    space_id,
    parent_event_id: question.event_id,
    text: 'Done: **1.3 GB** at its peak, 41 minutes. The archive is read in pieces, so its size does not matter.\n\n```ts\nconst importer = new Importer({ pieces: 64 })\nfor await (const piece of importer.read(archive)) {\n  await store.append(piece) // one transaction each\n}\n```',
  })
  const { thread_id } = await g.thread.start.mutate({
    space_id,
    parent_event_id: answer.event_id,
    subject: 'Memory of the importer',
  })
  const inThread = { space_id, thread_id, parent_event_id: answer.event_id }
  await g.event.speech.mutate({ ...inThread, text: 'Far better than I feared. Is most of it the index?' })
  await s.event.response.mutate({ ...inThread, text: 'Yes, 0.9 GB. It would be 0.4 GB with `compact: true`.' })
  await s.event.append.mutate({
    space_id,
    speaker_id: 'standup',
    speaker_name: 'Standup, Tuesday',
    speaker_type: 'transcript',
    text: '“…if the importer holds up, we keep the date.”',
  })
  await g.event.speech.mutate({ space_id, text: 'Then I am for shipping both.' })
  const propose = (text) => s.decision.propose.mutate({ space_id, proposed_by: scout.actor_id, text })
  const first = await propose('Ship 2.4 with the importer and the new search')
  const second = await propose('Hold the release until May')
  await propose('Turn `compact` on by default')
  const settle = (decision_id, status, resolution) =>
    a.decision.resolve.mutate({ space_id, decision_id, status, resolution, resolved_by: ada.actor_id })
  await settle(first.decision_id, 'resolved', 'The importer has held up')
  await settle(second.decision_id, 'rejected', 'No reason left to wait')
  // Marks the space as read: it opens at its first unread event.
  await a.seen.mark.mutate({ space_id })
  return { space_id, question, answer, thread_id, resolved: first.decision_id }
}

/** Fills every other page: a tenant, agents in every state, acts, a policy, links, tokens, inbox entries. */
export async function makeRest(url, { ada, grace, scout }, { space_id, question, answer }) {
  const [a, g, s] = [ada, grace, scout].map(({ api_key }) => createClient({ url, token: api_key }))
  const settle = { approvals: 1, independent: true }
  await a.policy.set.mutate({ space_id, settle, loop_guard: { total: 60, per_agent: 15 } })
  const { decision_id } = await s.decision.propose.mutate({
    space_id,
    proposed_by: scout.actor_id,
    text: 'Delete the old importer in **2.5**, once it is unused for a month',
    assignees: [ada.actor_id],
  })
  await g.decision.review.mutate({ space_id, decision_id, verdict: 'approve', note: 'It will not be missed.' })
  await g.event.speech.mutate({
    space_id: 'trip-to-lisbon',
    text: 'The 7:12 has seats left. Are you coming, @Ada Lovelace?',
    metadata: { mentions: [ada.actor_id] },
  })
  await g.event.speech.mutate({
    space_id,
    parent_event_id: question.event_id,
    text: 'And how long does it take with the small one?',
  })
  await s.event.append.mutate({
    space_id,
    speaker_id: 'ci',
    speaker_name: 'Build 4117',
    speaker_type: 'system',
    text: 'All 1,204 tests have passed.',
    references: ['https://ci.example.org/builds/4117'],
    metadata: { commit: '9c2f1ab', duration_s: 412 },
  })
  await a.event.speech.mutate({ space_id, text: `Long words break: ${'antidisestablishmentarianism'.repeat(6)}` })
  await makeFiles(a)
  await a.space.change.mutate({ space_id: 'incident-0412', status: 'paused' })
  await a.space.create.mutate({ space_id: 'kick-off-2025', description: 'How it began' })
  await a.space.archive.mutate({ space_id: 'kick-off-2025' })
  await a.space.create.mutate({ space_id: 'new-ideas' })
  await a.participant.join.mutate({ space_id: 'new-ideas' })
  await a.link.create.mutate({ space_id, target_id: 'incident-0412', link_type: 'caused by' })
  await a.link.create.mutate({ space_id, target_id: 'trip-to-lisbon' })
  await a.link.create.mutate({ space_id, target_uri: 'https://example.org/plans/release-2.4', link_type: 'plan' })
  await a.token.create.mutate({ name: 'Nightly report', scopes: ['read'], space_ids: [space_id] })
  const { pat_id } = await a.token.create.mutate({ name: 'Old laptop' })
  await a.token.revoke.mutate({ pat_id })
  const register = (display_name, agent_profile) =>
    a.actor.register.mutate({ display_name, agent_profile, actor_type: 'agent' })
  await register('Librarian', 'Knows where everything was written down, and answers with the place')
  const runaway = await register('Runaway')
  await a.actor.stop.mutate({ actor_id: runaway.actor_id, reason: 'It answered itself' })
  const installation = { installation_id: 'build-host-7f3a', agent_adapter: 'mcp' }
  await s.actor.connect.mutate({ actor_id: scout.actor_id, ...installation })
  await a.agentCode.create.mutate({ display_name: 'Reviewer', scopes: ['read', 'write'], space_ids: [space_id] })
  await a.invite.create.mutate({ email: 'katherine@example.org', default_space_id: space_id })
  return { decision_id, event_id: answer.event_id, ...(await makeWebhooks(a, space_id, scout)) }
}

/** Creates a working webhook, one of an agent whose receiver is unreachable, and a paused one. */
async function makeWebhooks(client, space_id, scout) {
  const receiver = createServer((_request, response) => response.writeHead(204).end())
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // Does not keep the process running after the pictures.
  receiver.unref()
  const url = `http://127.0.0.1:${receiver.address().port}/spaces`
  const well = await client.webhook.create.mutate({ url, space_id, payload: 'full' })
  await client.webhook.test.mutate(well)
  const refused = { url: 'http://127.0.0.1:9/wake', inbox_of: scout.actor_id, from: 'beginning' }
  const failing = await client.webhook.create.mutate(refused)
  const { webhook_id } = await client.webhook.create.mutate({ url: `${url}/old`, space_id, from: 'beginning' })
  await client.webhook.change.mutate({ webhook_id, disabled: true })
  return { webhook_id: well.webhook_id, failing_id: failing.webhook_id }
}

/** Creates a tenant with both people and the agent. */
export async function makeTenant(url, { ada, grace }) {
  const a = createClient({ url, token: ada.api_key })
  await a.tenant.create.mutate({ name: 'Analytical Engines' })
  const { code } = await a.invite.create.mutate({ email: 'grace@example.org' })
  await createClient({ url, token: grace.api_key }).invite.redeem.mutate({ code })
}

/** Fills a space with files: images, and others that the page shows or only downloads. */
async function makeFiles(client) {
  const space_id = 'harbour-pictures'
  await client.space.create.mutate({ space_id })
  await client.participant.join.mutate({ space_id })
  const upload = async (name, contentType, content) =>
    (await client.upload(space_id, new Blob([content]), { name, contentType })).file_id
  const icon = (name) => readFileSync(new URL(`../public/icons/${name}.png`, import.meta.url))
  const budget = 'Budget of the trip to the harbour in autumn, second draft.csv'
  const messages = {
    'The new icon.': [await upload('icon.png', 'image/png', icon('512'))],
    'Its other forms, and what they cost.': [
      await upload('maskable.png', 'image/png', icon('maskable-512')),
      await upload('small.png', 'image/png', icon('192')),
      await upload(budget, 'text/csv', 'item,people,price\n"Train, both ways",4,312.50\nBoat,3,75\n'),
      await upload('report.pdf', 'application/pdf', '%PDF-1.4'),
    ],
    'And the notes.': [
      await upload('notes.md', 'text/markdown', '# Notes\n\nWe leave at **7:12**.\n\n- tickets\n- boat'),
    ],
  }
  for (const [text, file_ids] of Object.entries(messages))
    await client.event.speech.mutate({ space_id, text, file_ids })
  await client.seen.mark.mutate({ space_id })
}
