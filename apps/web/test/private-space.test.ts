import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

/** The icon of a private space. */
const LOCK = 'path[d^="M7 10.500h10"]'

describeInBrowser('a private space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    grace = await server.registerHuman('Grace')
    await server.as(grace).post('/api/invites/redeem', { code }).expect(200)
  })

  it('can be a conversation, which is started from a card and listed for its members', async () => {
    const space = await server.openSpace(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${space}/join`).expect(200)
    const { page } = await browser.comeIn(ada, `${space.replace('/api/spaces', '/s')}?panel=people`)
    const panel = page.getByRole('complementary')
    await panel.getByRole('button', { name: 'Grace', exact: true }).click()
    const card = page.getByRole('dialog', { name: 'About Grace' })
    await card.getByRole('button', { name: 'Message Grace privately' }).click()
    await page.waitForURL(/\/s\/conversation-/)
    await page.getByText('Write to Grace').waitFor()
    expect(await page.getByRole('log').getByRole('button').count()).toBe(0)
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.fill('Between us')
    await page.keyboard.press('Enter')
    await page.getByText('Between us').first().waitFor()

    const other = await browser.comeIn(grace, '/')
    const conversations = other.page.getByRole('main').getByRole('list', { name: 'Conversations' })
    await conversations.getByRole('link', { name: 'Ada' }).click()
    await other.page.getByText('Between us').first().waitFor()
    await other.open('/')
    const spaces = other.page.getByRole('main').getByRole('list', { name: 'Spaces', exact: true })
    await spaces.getByRole('listitem').first().waitFor()
    expect(await spaces.getByText('conversation-').count()).toBe(0)
  })

  it('is created, opened to a member, and closed to that member again', async () => {
    const visit = await browser.comeIn(ada, '/')
    const { page } = visit
    await page.getByRole('main').getByRole('button', { name: 'New space' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('surprise')
    await page.getByRole('checkbox', { name: 'Private' }).check()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByText('Start the conversation').waitFor()
    await server.as(grace).get('/api/spaces/surprise/status').expect(404)
    // A link would lead nowhere for others.
    expect(await page.getByRole('log').getByRole('button', { name: 'Copy link' }).count()).toBe(0)
    await page.getByRole('log').getByRole('button', { name: 'Add participants' }).click()
    await page.waitForURL(/panel=people/)
    await page.getByRole('heading', { name: 'surprise' }).locator(LOCK).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'surprise' }).locator(LOCK).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('surprise')
    await page.getByRole('group', { name: 'Spaces' }).getByRole('option').first().locator(LOCK).waitFor()
    await page.keyboard.press('Escape')

    await visit.open('/s/surprise?panel=people')
    const panel = page.getByRole('complementary')
    await panel.getByRole('combobox').selectOption('Grace')
    await panel.getByRole('button', { name: 'Add', exact: true }).click()
    const row = panel.getByRole('listitem').filter({ hasText: 'Grace' })
    await row.waitFor()
    await server.as(grace).get('/api/spaces/surprise/status').expect(200)
    const other = await browser.comeIn(grace, '/')
    const waits = other.page.getByRole('list', { name: 'Waiting for you' })
    await waits.getByRole('link', { name: /You were added to this space/ }).click()
    await other.page.getByRole('heading', { level: 1, name: 'surprise' }).waitFor()

    await row.getByRole('button', { name: /^Remove Grace/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await eventually(async () => (await server.as(grace).get('/api/spaces/surprise/status')).status === 404)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    await other.page.getByRole('heading', { name: 'Space not found' }).waitFor()
    await other.page.getByRole('link', { name: 'surprise' }).waitFor({ state: 'detached' })
    expect(await other.page.getByText('Disconnected').count()).toBe(0)
  })

  it.each(['decisions', 'incoming'])('shows nothing on its page of %s to a member who was removed', async (page) => {
    const path = await server.openSpace(ada)
    await server.as(ada).patch(path, { visibility: 'private' }).expect(200)
    await server.as(ada).post(`${path}/participants`, { actor_id: grace.actor_id }).expect(200)
    const other = await browser.comeIn(grace, '/')
    const { clock } = other.context
    await clock.install()
    await other.open(`/s/${spaceIdOf(path)}/${page}`)
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    await server.as(ada).delete(`${path}/participants/${grace.actor_id}`).expect(200)
    await eventually(async () => {
      // Until the page looks again.
      await clock.fastForward('05:00')
      return (await other.page.getByRole('heading', { name: 'Space not found' }).count()) > 0
    })
  })

  it('is listed for an admin, who becomes its owner', async () => {
    await server.as(grace).post('/api/spaces', { space_id: 'salaries', visibility: 'private' }).expect(200)
    const { page } = await browser.comeIn(ada, '/tenant')
    const row = page.getByRole('list', { name: 'Private spaces' }).getByRole('listitem').filter({ hasText: 'salaries' })
    await row.getByText('Owned by Grace · 1 participant · 0 messages').waitFor()
    await server.as(ada).get('/api/spaces/salaries/status').expect(404)
    await row.getByRole('button', { name: 'Become owner of salaries' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Become owner', exact: true }).click()
    await row.getByText(/2 participants/).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await server.as(ada).get('/api/spaces/salaries/status').expect(200)
  })

  it('can be created by making an open space private', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'offers' }).expect(200)
    await server.as(ada).post('/api/spaces/offers/join').expect(200)
    await server.as(grace).get('/api/spaces/offers/status').expect(200)
    const { page } = await browser.comeIn(ada, '/s/offers')
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Title, description, owners…' }).click()
    await page.getByRole('checkbox', { name: 'Private' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await server.as(grace).get('/api/spaces/offers/status').expect(404)
  })
})
