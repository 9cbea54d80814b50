import { type Actor, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a conversation', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    grace = await member('Grace')
    await member('Linus')
    await server.registerAgent(ada, 'Scout')
  })

  async function member(name: string): Promise<Actor> {
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    const actor = await server.registerHuman(name)
    await server.as(actor).post('/api/invites/redeem', { code }).expect(200)
    return actor
  }

  it('is started with several people and agents', async () => {
    const { page } = await browser.comeIn(ada, '/')
    await page.getByRole('button', { name: 'New message' }).click()
    const dialog = page.getByRole('dialog', { name: 'New message' })
    const people = dialog.getByRole('group', { name: 'To' })
    await people.getByText('Linus').waitFor()
    expect(await people.locator('label').allTextContents()).toEqual(['Grace', 'Linus', 'Scout (agent)'])
    const start = dialog.getByRole('button', { name: 'Start' })
    expect(await start.isDisabled()).toBe(true)
    for (const name of ['Grace', 'Scout (agent)']) await people.getByRole('checkbox', { name }).check()
    await start.click()
    await page.waitForURL(/\/s\/conversation-/)
    await page.getByRole('heading', { level: 1, name: /Grace.*Scout|Scout.*Grace/ }).waitFor()
    await page.getByText(/^Write to /).waitFor()
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.fill('Among us')
    await field.press('Enter')
    const other = await browser.comeIn(grace, '/')
    await other.page.getByRole('list', { name: 'Waiting for you' }).getByText('Among us').waitFor()
    await other.page.getByRole('navigation').getByTitle('Waiting for you').waitFor()
  })

  it('is what the palette opens for a person', async () => {
    const { page } = await browser.comeIn(ada, '/agents')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('linus')
    await page.getByRole('group', { name: 'People and agents' }).getByRole('option', { name: /Linus/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\/conversation-/)
    await page.getByRole('heading', { level: 1, name: 'Linus' }).waitFor()
    await page.getByText('Write to Linus').waitFor()
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Leave…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave Linus?' })
    await dialog.getByText('To return, write to the same members again.').waitFor()
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  })
})
