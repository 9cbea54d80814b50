import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the home page', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('guides a new account through its first steps, and checks off done ones', async () => {
    const ada = await server.registerHuman('Ada')
    const { page } = await browser.comeIn(ada, '/')
    const steps = page.getByRole('list', { name: 'Get started' })
    const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name })
    await step('Make a decision').getByText('Available once you have a space.').waitFor()
    await step('Create a space').getByRole('button', { name: 'New space' }).click()
    await page.getByLabel('Name', { exact: true }).fill('first-steps')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByText('Start the conversation').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await step('Create a space').getByText('Done').waitFor()
    await server.registerAgent(ada)
    await page.reload()
    await step('Add an agent').getByText('Done').waitFor()
    await step('Make a decision').getByRole('link', { name: 'Propose' }).click()
    await page.getByRole('dialog', { name: 'Propose a decision' }).waitFor()
    const proposal = { proposed_by: ada.actor_id, text: 'Begin' }
    await server.as(ada).post('/api/spaces/first-steps/decisions', proposal).expect(200)
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('main').getByRole('link', { name: 'first-steps' }).waitFor()
    await steps.waitFor({ state: 'detached' })
  })

  it('suggests a name for a title in any script, and another one if it is taken', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    await server.as(grace).post('/api/spaces', { space_id: 'space-1', visibility: 'private' }).expect(200)
    const person = await browser.comeIn(ada, '/')
    await person.open('/?new')
    const { page } = person
    const title = page.getByRole('textbox', { name: 'Title' })
    const name = page.getByLabel('Name', { exact: true })
    await title.fill('Весенний план')
    expect(await name.inputValue()).toBe('vesennii-plan')
    await title.fill('春の計画')
    expect(await name.inputValue()).toBe('space-1')
    // Another account's private space has this name.
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByText('The name space-1 is taken').waitFor()
    expect(await name.inputValue()).toBe('space-2')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { level: 1, name: '春の計画' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/s/space-2')
  })

  it('hides dismissed first steps', async () => {
    const ada = await server.registerHuman('Ada')
    await server.openSpace(ada)
    const { page } = await browser.comeIn(ada, '/')
    await page.getByRole('button', { name: "Don't show this again" }).click()
    await page.getByRole('list', { name: 'Get started' }).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    await page.reload()
    await page.getByRole('heading', { name: 'Spaces', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).first().waitFor()
    expect(await page.getByText('Get started').count()).toBe(0)
  })

  it('has a navigation bar at the bottom of a phone, and its settings in a submenu', async () => {
    const ada = await server.registerHuman('Ada')
    const space = await server.openSpace(ada)
    const { page } = await browser.comeIn(ada, '/')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const bar = page.getByRole('navigation', { name: 'Quick navigation' })
    expect(await bar.count()).toBe(0)
    expect(await navigation.getByRole('link', { name: 'Agents' }).count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {}
    expect(y + height).toBe(844)
    await bar.getByRole('link', { name: 'Inbox' }).click()
    await page.getByText("You're all caught up").waitFor()
    await bar.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Menu' }).click()
    await navigation.getByRole('button', { name: 'Settings' }).click()
    await navigation.getByRole('link', { name: 'Account and security' }).click()
    await page.getByRole('heading', { level: 1, name: 'Account and security' }).waitFor()
    // A space has its composer at the bottom.
    await page.goto(server.url + space.replace('/api', '').replace('/spaces', '/s'))
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor()
    expect(await bar.count()).toBe(0)
  })

  it('shows the time of the last message of a conversation, also on a phone', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const { space_id } = await server
      .as(ada)
      .post('/api/conversations', { actor_ids: [grace.actor_id] })
      .expect(200)
    await server.as(ada).post(`/api/spaces/${space_id}/speech`, { text: 'Hello' }).expect(200)
    const { page } = await browser.comeIn(grace, '/')
    await page.setViewportSize({ width: 390, height: 844 })
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: 'Ada' })
    await row.locator('time').waitFor()
  })
})
