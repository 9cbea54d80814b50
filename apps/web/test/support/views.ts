import type { Actor, ServedProgram } from '@collab-spaces/testing'
import { beforeAll } from 'vitest'
import type { Person } from './browser.js'
import { picture } from './files.js'

/** A view: its path, and how to wait for it. Add new ones to the lists below. */
export type View = readonly [name: string, path: () => string, ready: (person: Person) => Promise<unknown>]

const SAMPLE = 'sample-0123456789ab'

/** The settings of a server with all views. */
export const VIEWS_SETTINGS = {
  REGISTRATION_LIMIT: '0',
  SERVER_KEY: '5a'.repeat(32),
  WEBHOOK_NETWORKS: 'loopback',
}

/** Fills every page. Returns Ada, Grace, who has a tenant, and Kay, a new account. */
export function useViews(server: ServedProgram) {
  let ada: Actor
  let grace: Actor
  let kay: Actor
  let event: string
  let decision: string
  let webhookId: string
  let connect: string
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    const agent = await server.registerAgent(ada)
    const api = server.as(ada)
    for (const [space_id, lines] of Object.entries({ brief: 3, short: 8, long: 40, paused: 6 })) {
      await api.post('/api/spaces', { space_id, description: 'Some words' }).expect(200)
      await api.post(`/api/spaces/${space_id}/join`).expect(200)
      for (let n = 0; n < lines; n++)
        await api.post(`/api/spaces/${space_id}/speech`, { text: `line ${n}` }).expect(200)
    }
    await api.patch('/api/spaces/paused', { status: 'paused' }).expect(200)
    for (let n = 0; n < 6; n++) await api.post('/api/spaces', { space_id: `more-${n}` }).expect(200)
    await api.post('/api/spaces', { space_id: 'plans', description: 'Where to go' }).expect(200)
    await api.post('/api/spaces', { space_id: 'old' }).expect(200)
    await api.post('/api/spaces/old/archive').expect(200)
    for (const actor of [ada, agent]) {
      await server.as(actor).post('/api/spaces/plans/join').expect(200)
      const content = picture(64, 64).toString('base64')
      await api.put(`/api/actors/${actor.actor_id}/picture`, { content }).expect(200)
    }
    for (const [space_id, preferences] of Object.entries({ top: { pinned: true }, quiet: { notices: 'none' } })) {
      await api.post('/api/spaces', { space_id }).expect(200)
      await api.post(`/api/spaces/${space_id}/join`).expect(200)
      await api.put(`/api/spaces/${space_id}/preferences`, preferences).expect(200)
    }
    const text =
      'Look, @Scout:\n\n```ts\nconst a = 1 // one\n```\n\n| A | B |\n|---|---|\n| 1 | `2` |\n\n- [ ] https://example.org'
    const said = await api.post('/api/spaces/plans/speech', { text }).expect(200)
    event = said.event_id
    const reply = { text: 'To the **sea**.', parent_event_id: event }
    await server.as(agent).post('/api/spaces/plans/response', reply).expect(200)
    for (const speaker_type of ['system', 'transcript', 'sensor']) {
      const speech = {
        speaker_id: 'x',
        speaker_name: 'X',
        speaker_type,
        text: 'said',
        references: ['https://a.example'],
      }
      await server.as(agent).post('/api/spaces/plans/events', speech).expect(200)
    }
    const proposal = { proposed_by: ada.actor_id, text: 'Take the **7:12**', assignees: [ada.actor_id] }
    const proposed = await api.post('/api/spaces/plans/decisions', proposal).expect(200)
    decision = proposed.decision_id
    const review = { verdict: 'approve', note: 'Yes' }
    await api.post(`/api/spaces/plans/decisions/${decision}/reviews`, review).expect(200)
    const rejected = await api.post('/api/spaces/plans/decisions', { ...proposal, text: 'Fly' }).expect(200)
    const reason = { resolved_by: ada.actor_id, resolution: 'It is not far', status: 'rejected' }
    await api.put(`/api/spaces/plans/decisions/${rejected.decision_id}/resolve`, reason).expect(200)
    for (const link of [{ target_id: 'old' }, { target_uri: 'https://example.org/plan' }]) {
      await api.post('/api/spaces/plans/links', link).expect(200)
    }
    await api.post('/api/personal-access-tokens', { name: 'Nightly', scopes: ['read'] }).expect(200)
    const hook = { url: 'http://127.0.0.1:9/hook', space_id: 'plans' }
    webhookId = (await api.post('/api/webhooks', hook).expect(200)).webhook_id
    await api.post(`/api/webhooks/${webhookId}/test`).expect(200)
    await api.post('/api/spaces/more-0/incoming-webhooks', { name: 'Grafana', format: 'slack' }).expect(200)
    const redirect_uri = 'http://127.0.0.1/back'
    const { body } = await server.post('/oauth/register', { client_name: 'Chat', redirect_uris: [redirect_uri] })
    const asked = { client_id: body.client_id, redirect_uri, response_type: 'code', code_challenge: 'x'.repeat(43) }
    connect = `/oauth/authorize?${new URLSearchParams({ ...asked, code_challenge_method: 'S256' })}`
    const about = { parent_event_id: event, subject: 'Where to' }
    const { thread_id } = await api.post('/api/spaces/plans/threads', about).expect(200)
    const inThread = { text: 'By train.', thread_id, parent_event_id: event }
    const { event_id } = await server.as(agent).post('/api/spaces/plans/response', inThread).expect(200)
    await api.post('/api/actors/me/inbox/snooze', { items: [{ space_id: 'plans', event_id }] }).expect(200)
    await makeFiles()
    await makeTenant()
    await makeSample()
  })

  /** Creates a space with images and another file. */
  async function makeFiles(): Promise<void> {
    const api = server.as(ada)
    await api.post('/api/spaces', { space_id: 'seaside' }).expect(200)
    await api.post('/api/spaces/seaside/join').expect(200)
    const upload = async (name: string, bytes: Uint8Array, type: string): Promise<string> => {
      const headers = { 'content-type': type }
      return (await api.post(`/api/spaces/seaside/files?name=${name}`, bytes, { headers }).expect(200)).file_id
    }
    const sea = () => upload('sea.png', picture(900, 600), 'image/png')
    const plan = await upload('plan.txt', Buffer.from('By train'), 'text/plain')
    await api.post('/api/spaces/seaside/speech', { text: 'One picture', file_ids: [await sea()] }).expect(200)
    const file_ids = [await sea(), await sea(), plan]
    await api.post('/api/spaces/seaside/speech', { text: 'Two, and the plan', file_ids }).expect(200)
  }

  async function makeTenant(): Promise<void> {
    grace = await server.registerHuman('Grace')
    await server.registerAgent(grace, 'Helper')
    const api = server.as(grace)
    await api.post('/api/tenants', { name: 'Analysts' }).expect(200)
    await server.registerAgent(grace, 'Runner')
    await api.post('/api/spaces', { space_id: 'salaries', visibility: 'private' }).expect(200)
    await api.post('/api/invites', { email: 'kay@example.org' }).expect(200)
    await api.post('/api/spaces', { space_id: 'team', description: 'Who does what' }).expect(200)
    await api.post('/api/spaces/team/join').expect(200)
    const proposal = { proposed_by: grace.actor_id, text: 'Meet on Mondays', assignees: [grace.actor_id] }
    await api.post('/api/spaces/team/decisions', proposal).expect(200)
  }

  /** Creates a sample space as the home page does, after the guide's first message. */
  async function makeSample(): Promise<void> {
    kay = await server.registerHuman('Kay')
    const api = server.as(kay)
    await api.post('/api/spaces', { space_id: SAMPLE, visibility: 'private' }).expect(200)
    const limits = { metadata: { guide_of: SAMPLE }, space_ids: [SAMPLE], scopes: ['write'] }
    const guide = await server.registerAgent(kay, 'Guide', limits)
    await api.post(`/api/spaces/${SAMPLE}/participants`, { actor_id: guide.actor_id }).expect(200)
    const text = 'Hello. I am the guide, and this is the first of three steps.'
    await server.as(guide).post(`/api/spaces/${SAMPLE}/speech`, { text }).expect(200)
  }

  const webhook = () => `/webhooks/${webhookId}`
  const pages: readonly View[] = [
    ['home', () => '/', ({ page }) => page.getByText('Where to go').waitFor()],
    ['a space', () => '/s/plans', (person) => person.sees('To the sea.')],
    ['an event', () => `/s/plans/e/${event}`, (person) => person.sees('To the sea.')],
    ['a thread', () => `/s/plans?thread=${event}`, ({ page }) => page.getByRole('complementary').waitFor()],
    ['decisions', () => '/s/plans/decisions', ({ page }) => page.getByText('Rejected by Ada').waitFor()],
    [
      'a decision',
      () => `/s/plans/decisions/${decision}`,
      async ({ page }) => {
        const acts = page.locator('details', { hasText: 'Proposed by Ada, approved by Ada' })
        await acts.waitFor()
        if ((await acts.getAttribute('open')) === null) await acts.locator('summary').click()
        await page.getByText('Ada approved it').waitFor()
      },
    ],
    ['all decisions', () => '/decisions', ({ page }) => page.getByText('Take the 7:12').waitFor()],
    ['the inbox', () => '/inbox', ({ page }) => page.locator('[id^="waits-"]').first().waitFor()],
    [
      'what is snoozed',
      () => '/inbox',
      ({ page }) =>
        page
          .getByRole('button', { name: 'Snoozed' })
          .click()
          .then(() => page.getByText('Bring back').waitFor()),
    ],
    [
      'threads',
      () => '/s/plans?panel=threads',
      ({ page }) => page.getByRole('list', { name: 'Threads in this space' }).waitFor(),
    ],
    ['participants', () => '/s/plans?panel=people', ({ page }) => page.getByText('Your agent').waitFor()],
    [
      'what was done about decisions',
      () => '/s/plans',
      ({ history }) => history.getByRole('button', { name: 'Withdraw approval' }).waitFor(),
    ],
    ['files', () => '/s/seaside', ({ history }) => history.locator('img').nth(2).waitFor({ state: 'attached' })],
    [
      'all files',
      () => '/s/seaside?panel=files',
      ({ page }) =>
        page
          .getByText(/^TXT · 8 bytes/)
          .last()
          .waitFor(),
    ],
    ['search', () => '/s/plans?panel=search', ({ page }) => page.getByText('Search messages').waitFor()],
    ['a summary', () => '/s/plans?panel=summary', ({ page }) => page.getByText('Catch up quickly').waitFor()],
    ['activity', () => '/s/plans?panel=activity', ({ page }) => page.getByText('Now', { exact: true }).waitFor()],
    ['links', () => '/s/plans?panel=links', ({ page }) => page.getByRole('link', { name: 'old' }).last().waitFor()],
    ['credentials', () => '/credentials', ({ page }) => page.getByText('Nightly').waitFor()],
    ['notifications', () => '/notifications', ({ page }) => page.getByText('No quiet hours').waitFor()],
    [
      'a program that asks',
      () => connect,
      ({ page }) => page.getByRole('button', { name: 'Allow', exact: true }).waitFor(),
    ],
    ['agents', () => '/agents', ({ page }) => page.getByRole('button', { name: /^Stop/ }).last().waitFor()],
    ['a webhook', webhook, ({ page }) => page.getByText('Challenge', { exact: true }).first().waitFor()],
    ['incoming webhooks', () => '/s/more-0/incoming', ({ page }) => page.getByText('Slack format').waitFor()],
    ['a tenant', () => '/tenant', ({ page }) => page.getByText('Your own organization').waitFor()],
    ['a brief space', () => '/s/brief', (person) => person.sees('line 2')],
    ['a short space', () => '/s/short', (person) => person.sees('line 7')],
    ['a long space', () => '/s/long', (person) => person.sees('line 39')],
    ['a paused space', () => '/s/paused', ({ page }) => page.getByText('This space is paused').waitFor()],
    ['an archived space', () => '/s/old', ({ page }) => page.getByText('This space is archived').waitFor()],
    ['a space that is not there', () => '/s/nowhere', ({ page }) => page.getByText('Space not found').waitFor()],
    ['no page', () => '/nowhere', ({ page }) => page.getByText('Page not found').waitFor()],
  ]

  const asks = (path: string, title: string): View => [
    `what ${path} asks`,
    () => path,
    ({ page }) => page.getByRole('dialog', { name: title }).waitFor(),
  ]
  const dialogs: readonly View[] = [
    asks('/?new', 'New space'),
    asks('/s/plans/decisions?propose', 'Propose a decision'),
    asks('/credentials?new', 'New token'),
    asks('/agents?new', 'New agent'),
  ]

  const pagesInTenant: readonly View[] = [
    [
      'agents of a tenant',
      () => '/agents',
      ({ page }) => page.getByRole('list', { name: 'All agents in the organization' }).getByText('Helper').waitFor(),
    ],
    ['a tenant with members', () => '/tenant', ({ page }) => page.getByText('kay@example.org').waitFor()],
    [
      'participants who can be added',
      () => '/s/team?panel=people',
      ({ page }) => page.getByRole('button', { name: 'Add', exact: true }).waitFor(),
    ],
    ['decisions in a tenant', () => '/s/team/decisions', ({ page }) => page.getByText('Meet on Mondays').waitFor()],
  ]
  const dialogsInTenant = [asks('/s/team/decisions?propose', 'Propose a decision'), asks('/agents?new', 'New agent')]

  const pagesOfNewcomer: readonly View[] = [
    ['a sample space', () => `/s/${SAMPLE}`, (person) => person.sees('I am the guide')],
    ['the first steps', () => '/', ({ page }) => page.getByText('Continue in your sample space').waitFor()],
    ['no agents', () => '/agents', ({ page }) => page.getByRole('heading', { name: 'Your agents' }).waitFor()],
  ]

  return {
    ada: { actor: () => ada, pages, dialogs },
    grace: { actor: () => grace, pages: pagesInTenant, dialogs: dialogsInTenant },
    kay: { actor: () => kay, pages: pagesOfNewcomer, dialogs: [] },
    webhook,
  }
}
