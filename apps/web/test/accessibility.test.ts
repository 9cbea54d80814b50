import { type Actor, useProgram } from '@collab-spaces/testing'
import type { Response } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { check, checkAnyhow } from './support/axe.js'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('every page', () => {
  const server = useProgram({
    REGISTRATION_LIMIT: '0',
    SERVER_KEY: '5a'.repeat(32),
    WEBHOOK_NETWORKS: 'loopback',
  })
  const browser = useBrowser(server)
  let ada: Actor
  let event: string
  let decision: string
  let webhook: string
  let asks: string
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    const agent = await server.registerAgent(ada)
    const api = server.as(ada)
    await api.post('/api/spaces', { space_id: 'plans', description: 'Where to go' }).expect(200)
    await api.post('/api/spaces', { space_id: 'old' }).expect(200)
    await api.post('/api/spaces/old/archive').expect(200)
    for (const actor of [ada, agent]) await server.as(actor).post('/api/spaces/plans/join').expect(200)
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
    webhook = (await api.post('/api/webhooks', hook).expect(200)).webhook_id
    await api.post(`/api/webhooks/${webhook}/test`).expect(200)
    const redirect_uri = 'http://127.0.0.1/back'
    const { body } = await server.post('/oauth/register', { client_name: 'Chat', redirect_uris: [redirect_uri] })
    const asked = { client_id: body.client_id, redirect_uri, response_type: 'code', code_challenge: 'x'.repeat(43) }
    asks = `/oauth/authorize?${new URLSearchParams({ ...asked, code_challenge_method: 'S256' })}`
    const about = { parent_event_id: event, subject: 'Where to' }
    const { thread_id } = await api.post('/api/spaces/plans/threads', about).expect(200)
    const inThread = { text: 'By train.', thread_id, parent_event_id: event }
    await server.as(agent).post('/api/spaces/plans/response', inThread).expect(200)
  })

  const pages: readonly [name: string, path: () => string, ready: (person: Person) => Promise<unknown>][] = [
    ['home', () => '/', ({ page }) => page.getByText('Where to go').waitFor()],
    ['a space', () => '/s/plans', (person) => person.sees('To the sea.')],
    ['an event', () => `/s/plans/e/${event}`, (person) => person.sees('To the sea.')],
    ['a thread', () => `/s/plans?thread=${event}`, ({ page }) => page.getByRole('complementary').waitFor()],
    ['decisions', () => '/s/plans/decisions', ({ page }) => page.getByText('Rejected by Ada').waitFor()],
    ['a decision', () => `/s/plans/decisions/${decision}`, ({ page }) => page.getByText('Ada approved it').waitFor()],
    ['the inbox', () => '/inbox', ({ page }) => page.locator('[id^="waits-"]').first().waitFor()],
    [
      'threads',
      () => '/s/plans?panel=threads',
      ({ page }) => page.getByRole('list', { name: 'Threads of this space' }).waitFor(),
    ],
    ['participants', () => '/s/plans?panel=people', ({ page }) => page.getByText('Your agent').waitFor()],
    [
      'what was done about decisions',
      () => '/s/plans',
      ({ history }) => history.getByRole('button', { name: 'Take approval back' }).waitFor(),
    ],
    ['search', () => '/s/plans?panel=search', ({ page }) => page.getByText('Find what was said').waitFor()],
    ['a summary', () => '/s/plans?panel=summary', ({ page }) => page.getByText('Catch up quickly').waitFor()],
    ['activity', () => '/s/plans?panel=activity', ({ page }) => page.getByText('Now', { exact: true }).waitFor()],
    ['links', () => '/s/plans?panel=links', ({ page }) => page.getByRole('link', { name: 'old' }).last().waitFor()],
    ['credentials', () => '/credentials', ({ page }) => page.getByText('Nightly').waitFor()],
    ['notifications', () => '/notifications', ({ page }) => page.getByText('No quiet hours').waitFor()],
    [
      'a program that asks',
      () => asks,
      ({ page }) => page.getByRole('button', { name: 'Allow', exact: true }).waitFor(),
    ],
    ['agents', () => '/agents', ({ page }) => page.getByRole('button', { name: /^Stop/ }).last().waitFor()],
    [
      'a webhook',
      () => `/webhooks/${webhook}`,
      ({ page }) => page.getByText('The question whether it wants requests').first().waitFor(),
    ],
    ['a tenant', () => '/tenant', ({ page }) => page.getByText('A tenant of your own').waitFor()],
    ['an archived space', () => '/s/old', ({ page }) => page.getByText('This space is archived').waitFor()],
    ['a space that is not there', () => '/s/nowhere', ({ page }) => page.getByText('no such space').waitFor()],
    ['no page', () => '/nowhere', ({ page }) => page.getByText('no such page').waitFor()],
  ]

  it('can be used by everybody: on a desk and on a phone, by day and by night', async () => {
    const person = await browser.person()
    await person.open('/')
    await checkAnyhow(person, 'the door')
    await person.page.getByRole('button', { name: 'Create an account' }).click()
    await checkAnyhow(person, 'a new account')
    await person.page.getByRole('button', { name: 'Sign in' }).first().click()
    await signInAnywhere(person)
    for (const [name, path, ready] of pages) {
      await person.open(path())
      await checkAnyhow(person, name, () => ready(person))
    }
  }, 600_000)

  it('opens its menus and dialogs to everybody', async () => {
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    // A menu floats above all landmarks.
    await check(person, 'the menu of the account', { region: { enabled: false } })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New space' }).click()
    const dialog = page.getByRole('dialog', { name: 'New space' })
    await dialog.waitFor()
    await check(person, 'a new space')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /plans/ }).first().waitFor()
    await check(person, 'the palette')
    await page.keyboard.press('Escape')
    for (const [path, button, title] of [
      ['/s/plans/decisions', 'Propose', 'Propose a decision'],
      ['/s/plans/decisions', 'Change', 'Policy of this space'],
      ['/credentials', 'New token', 'New token'],
      ['/notifications', 'Change', 'What and when'],
      ['/agents', 'New agent', 'New agent'],
      ['/agents', 'New webhook', 'New webhook'],
      [`/webhooks/${webhook}`, 'Edit…', 'Edit webhook'],
      ['/s/plans?panel=links', 'Add a link', 'Add a link'],
    ] as const) {
      await person.open(path)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog', { name: title }).waitFor()
      await check(person, title)
    }
    await person.open('/s/plans')
    const menu = page.getByRole('button', { name: 'More about this space' })
    await menu.click()
    await page.getByRole('menuitemradio', { name: 'Nothing (muted)' }).waitFor()
    await check(person, 'the menu of a space', { region: { enabled: false } })
    await page.getByRole('menuitem', { name: 'Title, description, owners…' }).click()
    await page.getByRole('dialog', { name: 'Title, description and owners' }).waitFor()
    await check(person, 'a space that is changed')
    await person.open('/s/plans')
    await person.history.getByRole('button', { name: 'Ada', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'About Ada' }).getByText('Human').waitFor()
    await check(person, 'a card', { region: { enabled: false } })
    await page.keyboard.press('Escape')
    await person.open('/')
    await page.getByText('Where to go').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await check(person, 'the list of keys')
  })

  it('shows admins all agents', async () => {
    const grace = await server.registerHuman('Grace')
    await server.registerAgent(grace, 'Helper')
    await server.as(grace).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const person = await browser.comeIn(grace, '/agents')
    const all = person.page.getByRole('list', { name: 'All agents of the tenant' })
    await checkAnyhow(person, 'all agents', () => all.getByText('Helper').waitFor())
  })

  it('loads little to begin with', async () => {
    const person = await browser.person()
    const { page } = person
    const scripts: Response[] = []
    page.on('response', (response) => {
      if (/\.js(?:$|\?)/.test(response.url())) scripts.push(response)
    })
    await person.open('/')
    await person.signIn(ada)
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    // Those that come later are not to begin with, and may not be there any more when they are asked.
    const bytes = (await Promise.all(scripts.map(sizeOf))).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(250 * 1024)
  })

  async function signInAnywhere(person: Person): Promise<void> {
    await person.page.getByLabel('API key or token').fill(ada.api_key)
    await person.page.getByRole('button', { name: 'Sign in' }).last().click()
    await person.page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  }
})

/** Of a response, once it is all there: the bytes of its body as they were sent. */
async function sizeOf(response: Response): Promise<number> {
  await response.finished()
  return (await response.request().sizes()).responseBodySize
}
