import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('webhooks in the page', () => {
  const settings = { REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32), WEBHOOK_NETWORKS: 'loopback' }
  const server = useProgram(settings)
  const browser = useBrowser(server)
  const receiver = useReceiver()
  let ada: Actor
  let spaceId: string
  let person: Person
  beforeEach(async () => {
    receiver.status = 204
    receiver.taken.length = 0
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Engines' }).expect(200)
    spaceId = spaceIdOf(await server.openSpace(ada))
    person = await browser.comeIn(ada, '/agents')
  })

  /** Creates a webhook by the dialog, and returns its secret. */
  async function create({ page }: Person, url: string): Promise<string> {
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByLabel('Space').selectOption(spaceId)
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    return takeSecret(person)
  }

  async function takeSecret({ page }: Person): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Webhook secret' })
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
    await dialog.getByRole('button', { name: "I've saved it" }).click()
    await dialog.waitFor({ state: 'detached' })
    return secret
  }

  async function choose({ page }: Person, action: string): Promise<void> {
    await page.getByRole('button', { name: 'Webhook actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('are created with a secret that is shown once, are tested, and list their attempts', async () => {
    const { page } = person
    await page.getByText('Notify another service').waitFor()
    expect(await create(person, receiver.url)).toMatch(/^whsec_/)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('Challenge', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/Delivered: answered 204 in/).waitFor()
    receiver.status = 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Not delivered: Answered 500.').waitFor()
    const attempts = page.getByRole('list', { name: 'Recent attempts' }).getByRole('listitem')
    await attempts.filter({ hasText: 'Failed' }).getByText('Answered 500').waitFor()
    await attempts.filter({ hasText: 'Delivered' }).getByText('Answered 204').waitFor()
    expect(receiver.taken.map(({ type }) => type)).toContain('webhook.test')
  })

  it('use an edited URL and edited types', async () => {
    const { page } = person
    await create(person, receiver.url)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
    const address = dialog.getByLabel('URL')
    expect(await address.inputValue()).toBe(receiver.url)
    await address.fill('http://example.org/hook')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('must begin with https://').waitFor()

    const other = `${receiver.url}/other`
    await address.fill(other)
    await dialog.getByLabel('Decisions').uncheck()
    await dialog.getByLabel('Content').selectOption('Full content')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(other, { exact: true }).waitFor()
    await page.getByText('Messages · Full content').waitFor()

    await server.as(ada).post(`/api/spaces/${spaceId}/speech`, { text: 'to the other one' }).expect(200)
    await page.getByRole('list', { name: 'Recent attempts' }).getByText('1 message').waitFor()
    const [request] = receiver.taken.filter(({ type }) => type === 'events.appended')
    expect(request).toMatchObject({ path: '/hook/other', data: { events: [{ text: 'to the other one' }] } })
  })

  it('are retried immediately on request', async () => {
    const { page } = person
    receiver.status = 500
    await create(person, receiver.url)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('Challenge', { exact: true }).waitFor()
    await server.as(ada).post(`/api/spaces/${spaceId}/speech`, { text: 'is it there?' }).expect(200)
    await page.getByText('Failing since').waitFor()
    receiver.status = 204
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('Up to date').waitFor()
  })

  it('can be paused and enabled, replayed, rotated and deleted', async () => {
    const { page } = person
    const secret = await create(person, receiver.url)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Once enabled, it continues where it left off').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Once enabled, it continues where it left off').waitFor({ state: 'detached' })

    await choose(person, 'Replay…')
    const replay = page.getByRole('dialog', { name: 'Replay' })
    await replay.getByLabel('Continue from').selectOption('A specific message')
    await replay.getByLabel('Message ID').fill('not an event')
    await replay.getByRole('button', { name: 'Replay' }).click()
    await replay.getByRole('alert').waitFor()
    await replay.getByLabel('Continue from').selectOption('The beginning')
    await replay.getByRole('button', { name: 'Replay' }).click()
    await replay.waitFor({ state: 'detached' })

    await choose(person, 'Replace secret…')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
    const another = await takeSecret(person)
    expect(another).toMatch(/^whsec_/)
    expect(another).not.toBe(secret)

    await choose(person, 'Delete…')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Notify another service').waitFor()
    expect(await server.as(ada).get('/api/webhooks').expect(200)).toEqual([])
  })

  it('explain why none can be created', async () => {
    const { page } = person
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('URL').fill('http://example.org/hook')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByRole('alert').getByText('must begin with https://').waitFor()
  })

  it("show an admin the URL of other members' webhooks, and let them delete these", async () => {
    const grace = await server.registerHuman('Grace')
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    await server.as(grace).post('/api/invites/redeem', { code }).expect(200)
    const url = `${receiver.url}?key=secret`
    await server.as(grace).post('/api/webhooks', { url, inbox_of: grace.actor_id }).expect(200)
    const { page } = person
    await person.open('/tenant')
    const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
    await row.getByText('of Grace').waitFor()
    expect(await row.textContent()).not.toContain('secret')
    await row.getByRole('link').click()
    await page.getByText('Inbox of Grace').waitFor()
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
    await choose(person, 'Delete…')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Engines' }).waitFor()
    expect(await server.as(grace).get('/api/webhooks').expect(200)).toEqual([])
  })
})

/** A receiver with configurable responses. */
function useReceiver() {
  const receiver = { url: '', status: 204, taken: [] as { path: string; type: string; data: unknown }[] }
  let http: Server
  beforeAll(async () => {
    http = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { type, data } = JSON.parse(text)
      if (type === 'webhook.challenge') return response.end(data.challenge)
      receiver.taken.push({ path: request.url ?? '', type, data })
      // Failed deliveries are not retried during the test.
      response.writeHead(receiver.status, receiver.status < 300 ? {} : { 'retry-after': '3600' }).end()
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    receiver.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`
  })
  afterAll(() => http?.close())
  return receiver
}
