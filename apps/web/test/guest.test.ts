import { type Actor, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('an invited person', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    await server.as(ada).post('/api/spaces', { space_id: 'offers' }).expect(200)
    await server.as(ada).post('/api/spaces/offers/join').expect(200)
  })

  const invite = async (body: object): Promise<string> =>
    (await server.as(ada).post('/api/invites', body).expect(200)).code

  it('lands in the first space of the invite, with a new account', async () => {
    const code = await invite({ default_space_id: 'offers' })
    const person = await browser.person()
    await person.open(`/join#${code}`)
    const { page } = person
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('Email').fill('grace@example.org')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('dialog', { name: 'Your key' }).waitFor()
    await page.waitForURL('**/s/offers')
  })

  it('lands in the first space of the invite, with an existing account', async () => {
    const code = await invite({ default_space_id: 'offers' })
    const linus = await server.registerHuman('Linus')
    const { page } = await browser.comeIn(linus, '/')
    await page.goto(`${server.url}/join#${code}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click()
    await page.getByRole('heading', { level: 1, name: 'offers' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/s/offers')
  })

  it('sees why a used invite is rejected', async () => {
    const code = await invite({})
    const [first, second] = [await server.registerHuman('First'), await server.registerHuman('Second')]
    await server.as(first).post('/api/invites/redeem', { code }).expect(200)
    const { page } = await browser.comeIn(second, '/')
    await page.goto(`${server.url}/join#${code}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click()
    await page.getByRole('alert').getByText('It was used, has expired, was revoked').waitFor()
  })

  it('sees no action that is refused to guests', async () => {
    const code = await invite({ access: 'named', default_space_id: 'offers' })
    const kay = await server.registerHuman('Kay')
    await server.as(kay).post('/api/invites/redeem', { code }).expect(200)
    await server.as(kay).post('/api/spaces', { space_id: 'mine' }).expect(403)
    const person = await browser.comeIn(kay, '/')
    const { page } = person
    await page.getByRole('main').getByRole('link', { name: 'offers' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New message' }).waitFor()
    for (const name of ['New space', 'Create a space', 'New agent', 'Try it in a sample space'])
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('new')
    await page.getByRole('option', { name: 'New message' }).waitFor()
    for (const name of ['New space', 'New agent'])
      expect(await page.getByRole('option', { name }).count(), name).toBe(0)
    await page.keyboard.press('Escape')
    await person.open('/agents')
    await page.getByText('You are a guest here.').waitFor()
    expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0)
    await person.open('/s/offers?panel=people')
    await page.getByRole('complementary').getByText('Humans').waitFor()
    expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0)
  })
})
