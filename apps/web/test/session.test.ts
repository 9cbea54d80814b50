import { eventually, spaceIdOf, storedEvents, useProgram } from '@collab-spaces/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('a session', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  const kept = ({ page }: Person) => page.evaluate(() => JSON.stringify({ ...localStorage }))
  const addressesOf = ({ page }: Person) => {
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    return addresses
  }

  it('starts with a new account, whose key is shown once', async () => {
    const person = await browser.person()
    const addresses = addressesOf(person)
    const { page } = person
    await person.open('/')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill('ada@example.org')
    await page.getByRole('button', { name: 'Create account' }).click()
    const key = await page.getByLabel('API key').inputValue()
    expect(key).toMatch(/^svc_[0-9a-f]{64}$/)
    // Escape must not lose it.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: "I've saved it" }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    expect(await page.getByText(key).count()).toBe(0)
    expect(await kept(person)).not.toContain(key)
    expect(addresses.filter((address) => address.includes('svc_'))).toEqual([])
  })

  it('explains why a key is rejected', async () => {
    const { page, open } = await browser
      .person()
      .then((person) => ({ page: person.page, open: () => person.open('/') }))
    await open()
    const submit = page.getByRole('button', { name: 'Sign in' }).last()
    await page.getByLabel('API key or token').fill('my password')
    await submit.click()
    await page.getByText('A key starts with svc_ and has no spaces').waitFor()
    await page.getByLabel('API key or token').fill(`svc_${'0'.repeat(64)}`)
    await submit.click()
    await page.getByText('Invalid API key').waitFor()
  })

  it('remembers an account only on request, and forgets it on sign-out', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.person()
    await person.open('/')
    await person.signIn(ada, true)
    expect(await kept(person)).toContain(ada.api_key)
    const other = await person.context.newPage()
    await other.goto(server.url)
    await other.getByRole('heading', { name: 'Hello, Ada' }).waitFor()

    await person.page.getByRole('button', { name: 'Account: Ada' }).click()
    await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await person.page.getByLabel('API key or token').waitFor()
    await other.getByLabel('API key or token').waitFor()
    expect(await kept(person)).not.toContain(ada.api_key)
  })

  it('goes on in its tab by a link to a space in a message', async () => {
    const ada = await server.registerHuman('Ada')
    const from = spaceIdOf(await server.openSpace(ada))
    const to = spaceIdOf(await server.openSpace(ada))
    const text = `See ${server.url}/s/${to}`
    await server.as(ada).post(`/api/spaces/${from}/speech`, { text }).expect(200)
    const { page, history } = await browser.comeIn(ada, `/s/${from}`)
    await history.getByRole('link', { name: /\/s\// }).click()
    await page.getByRole('heading', { level: 1, name: to }).waitFor()
  })

  it('shows the draft of another tab until it is sent', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    await person.open(`/s/${spaceIdOf(path)}`)
    await person.signIn(ada, true)
    const other = await person.context.newPage()
    await other.goto(person.page.url())
    // The tools of a field follow its draft.
    await other.getByRole('button', { name: 'Formatting' }).waitFor()
    const [field, same] = [person.page, other].map((tab) => tab.getByRole('textbox', { name: /^Message to/ }))
    await field?.fill('half a thought')
    await expect.poll(() => same?.inputValue()).toBe('half a thought')
    await field?.press('Enter')
    await expect.poll(() => same?.inputValue()).toBe('')
  })

  it('keeps a draft that another tab starts while this one opens', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const { page, context } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    const fieldIn = (tab: Page) => tab.getByRole('textbox', { name: /^Message to/ })
    await fieldIn(page).fill('half a thought')
    const other = await context.newPage()
    // It has read the draft before the other tab wrote it.
    await other.addInitScript(() => {
      const look = Storage.prototype.getItem
      Storage.prototype.getItem = function (key) {
        return key.startsWith('spaces.draft') ? null : look.call(this, key)
      }
    })
    await other.goto(page.url())
    await other.getByLabel('API key or token').fill(ada.api_key)
    await other.getByRole('button', { name: 'Sign in' }).last().click()
    await fieldIn(other).waitFor()
    await page.reload()
    expect(await fieldIn(page).inputValue()).toBe('half a thought')
  })

  it('deletes unsent texts on sign-out', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const spaceId = spaceIdOf(path)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    await person.open(`/s/${spaceId}`)
    await person.signIn(ada, true)
    const { page } = person
    const other = await person.context.newPage()
    await other.goto(`${server.url}/s/${spaceId}`)
    const unsaidIn = (tab: Page) => tab.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    for (const tab of [page, other]) {
      await tab.route('**/trpc/event.speech**', (route) => route.abort())
      const field = tab.getByRole('textbox', { name: /^Message to/ })
      await field.fill('never to be said')
      await field.press('Enter')
      await tab.getByText('Waiting for the connection').waitFor()
      await field.fill('half a thought')
      await eventually(async () => /half a thought.*never to be said/.test(await unsaidIn(tab)))
    }

    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [page, other]) {
      await tab.getByLabel('API key or token').waitFor()
      await eventually(async () => !/half a thought|never to be said/.test(await unsaidIn(tab)))
      await tab.unroute('**/trpc/event.speech**')
    }
    await person.signIn(ada)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: spaceId }).click()
    await page.getByText('Start the conversation').waitFor()
    expect(await storedEvents(server.connection, path)).toEqual([])
  })

  it('keeps several accounts', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Add an account' }).click()
    await person.signIn(grace)
    await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor()
    await page.getByRole('button', { name: 'Account: Grace' }).click()
    await page.getByRole('menuitemradio', { name: 'Ada' }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  })

  it('changes the name and the profile of the account', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.comeIn(ada, '/')
    const { page } = person
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Edit your profile…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit your profile' })
    await dialog.getByLabel('Your name').fill('Ada Lovelace')
    await dialog.getByLabel('What you do').fill(' Programs the engine ')
    await dialog.getByLabel('Time zone').selectOption('Europe/Lisbon')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).waitFor()
    expect(await server.as(ada).get('/api/actors/me').expect(200)).toMatchObject({
      display_name: 'Ada Lovelace',
      title: 'Programs the engine',
      time_zone: 'Europe/Lisbon',
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
  })

  it('reports that a key is no longer valid', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.person()
    await person.open('/')
    await person.signIn(ada)
    // An open page would notice and report it itself.
    await person.page.goto('about:blank')
    await server.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await person.open('/')
    await person.page.getByText('The key of Ada is no longer valid. Sign in again.').waitFor()
  })
})
