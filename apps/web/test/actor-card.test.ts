import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('an actor', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let scout: Actor
  let spaceId: string
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    grace = await server.registerHuman('Grace')
    await server.as(grace).post('/api/invites/redeem', { code }).expect(200)
    const agent = { actor_type: 'agent', display_name: 'Scout', agent_profile: 'Looks for trains.\nAnd for beds.' }
    scout = await server.as(grace).post('/api/actors', agent).expect(200)
    await server
      .as(grace)
      .patch(`/api/actors/${scout.actor_id}`, { title: 'Travel agent', time_zone: 'Asia/Kolkata' })
      .expect(200)
    const path = await server.openSpace(ada)
    spaceId = spaceIdOf(path)
    for (const actor of [ada, grace, scout]) await server.as(actor).post(`${path}/join`).expect(200)
    await server.as(scout).post(`${path}/response`, { text: 'There is one at 7:12.' }).expect(200)
    await server.as(scout).post(`${path}/claims`, { key: 'beds', note: 'Looks for beds' }).expect(200)
  })

  it('has a card: on click, by keyboard, and on hover', async () => {
    const { page, history } = await browser.comeIn(grace, `/s/${spaceId}`)
    const name = history.getByRole('button', { name: 'Scout', exact: true })
    const card = page.getByRole('dialog', { name: 'About Scout' })
    await name.click()
    await card.getByText('Agent of Grace').waitFor()
    await card.getByText('Travel agent').waitFor()
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit' }).format()
    await card.getByText(new RegExp(`^(${time}|${(Number(time) + 1) % 24}):\\d\\d for Scout$`)).waitFor()
    await card.getByText('Looks for trains.').waitFor()
    await card.getByText(/^Last seen/).waitFor()
    await card.getByText(/^Working in .* until .*: Looks for beds$/).waitFor()
    await card.getByRole('link', { name: spaceId }).last().waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await card.waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.mouse.move(1, 1)
    await name.hover()
    await card.waitFor()
    await page.mouse.move(1, 1)
    await card.waitFor({ state: 'detached' })
  })

  it('is stopped from its card by an admin, is shown as stopped, and is not offered as a mention', async () => {
    const admin = await browser.comeIn(ada, `/s/${spaceId}`)
    const { page, history } = await browser.comeIn(grace, `/s/${spaceId}?panel=people`)
    await admin.history.getByRole('button', { name: 'Scout', exact: true }).click()
    const card = admin.page.getByRole('dialog', { name: 'About Scout' })
    await card.getByRole('button', { name: 'Stop Scout' }).click()
    await admin.page.getByRole('textbox').last().fill('For tonight')
    await admin.page.getByRole('dialog').last().getByRole('button', { name: 'Stop', exact: false }).last().click()
    await card.getByRole('button', { name: 'Start Scout' }).waitFor()
    await admin.open('/agents')
    const row = admin.page
      .getByRole('list', { name: 'All agents in the organization' })
      .getByRole('listitem')
      .filter({ hasText: 'Scout' })
    await row.getByText('For tonight', { exact: false }).waitFor()
    await row.getByRole('button', { name: 'Credentials of Scout' }).waitFor()
    await admin.page.getByLabel('Show').selectOption('Running')
    await admin.page.getByText('No matches.').first().waitFor()
    await page.reload()
    await history.locator('[data-stopped]').first().waitFor()
    const participants = page.getByRole('complementary')
    await participants.getByRole('listitem').filter({ hasText: 'Scout' }).getByText('Stopped').first().waitFor()
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.pressSequentially('@')
    await page.getByRole('option', { name: /Ada/ }).waitFor()
    expect(await page.getByRole('option', { name: /Scout/ }).count()).toBe(0)
  })
})
