import { execFileSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actor, spaceIdOf, useDirectory, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('credentials', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let person: Person
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    person = await browser.comeIn(ada, '/credentials')
  })

  it('include tokens, which are shown once, apply their limits, and end when they are revoked', async () => {
    const { page } = person
    await page.getByRole('button', { name: 'New token' }).first().click()
    await page.getByLabel('Name').fill('Nightly')
    await page.getByRole('checkbox', { name: 'Write' }).uncheck()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByLabel('Token', { exact: true }).inputValue()
    const tokens = server.as(token)
    await tokens.get('/api/spaces').expect(200)
    await tokens.post('/api/spaces', { space_id: 'plans' }).expect(403, 'Token lacks the scope "write"')

    await page.keyboard.press('Escape')
    await page.getByLabel('Token', { exact: true }).waitFor()
    await page.getByRole('button', { name: "I've saved it" }).click()
    await page.getByText('Nightly', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(token)
    expect(page.url()).not.toContain('svc_')

    await page.getByRole('button', { name: 'Revoke Nightly' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Give programs tokens, not your key').waitFor()
    await tokens.get('/api/spaces').expect(401)
    await page.getByLabel('Show revoked tokens').check()
    await page.getByText('Revoked', { exact: true }).waitFor()
  })

  it('all end on signing out everywhere, except that of this tab', async () => {
    const { token } = await server.as(ada).post('/api/personal-access-tokens', { name: 'x' }).expect(200)
    const { page } = person
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    const key = await page.getByLabel('API key').inputValue()
    await page.getByRole('button', { name: "I've saved it" }).click()
    for (const ended of [ada.api_key, token]) await server.as(ended).get('/api/actors/me').expect(401)
    await server.as(key).get('/api/actors/me').expect(200)
    await page.reload()
    await page.getByText('Give programs tokens, not your key').waitFor()
  })

  it('rotate, and open spaces post with the new key', async () => {
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const { page } = person
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const goTo = (name: string) => navigation.getByRole('link', { name }).click()
    await page.reload()
    await goTo(spaceIdOf(path))
    await person.say('with the first key')
    await person.sees('with the first key')
    await person.openSettings('Account and security')
    await page.getByRole('button', { name: 'Replace key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click()
    const key = await page.getByLabel('API key').inputValue()
    await page.getByRole('button', { name: "I've saved it" }).click()
    await goTo(spaceIdOf(path))
    await person.say('with the second key')
    const arrived = async (...texts: string[]) => {
      await page.getByText('Sending…').waitFor({ state: 'detached' })
      const events = await server.as(ada).get(`${path}/events`).expect(200)
      expect(events.map(({ text }: { text: string }) => text)).toEqual(texts)
    }
    ada = { ...ada, api_key: key }
    await person.history.getByRole('article').filter({ hasText: 'with the second key' }).waitFor()
    await arrived('with the first key', 'with the second key')

    // A message in flight during a rotation elsewhere is not lost. The stream reports the rotation, too.
    let goOn = () => {}
    const replaced = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/trpc/event.speech**', async (route) => {
      await replaced
      await route.continue()
    })
    await person.say('with the third key')
    const { api_key } = await server.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    ada = { ...ada, api_key }
    const refused = page.waitForResponse((response) => response.url().includes('event.speech'))
    goOn()
    expect((await refused).status()).toBe(401)
    await page.unroute('**/trpc/event.speech**')
    await page.getByText('The key of Ada is no longer valid. Sign in again.').waitFor()
    await person.signIn(ada)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Not sent').waitFor({ state: 'detached' })
    await arrived('with the first key', 'with the second key', 'with the third key')
  })
})

describeInBrowser('agents', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('are created with a key, stopped, started and deleted', async () => {
    const ada = await server.registerHuman('Ada')
    const { page } = await browser.comeIn(ada, '/agents')
    await page.getByRole('button', { name: 'New agent' }).first().click()
    await page.getByLabel('Name').fill('Scout')
    await page.getByLabel('How does it get its key?').selectOption('I hand over the key myself')
    await page.getByRole('button', { name: 'Create agent' }).click()
    const scout = server.as(await page.getByLabel('API key').inputValue())
    await page.getByRole('button', { name: "I've saved it" }).click()
    await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
    await scout.post('/api/spaces/plans/join').expect(200)

    await page.getByRole('button', { name: 'Stop Scout' }).click()
    await page.getByLabel('Reason').fill('It repeats itself')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    const start = page.getByRole('button', { name: 'Start Scout' })
    await start.waitFor()
    await page.getByText('It repeats itself').waitFor()
    await scout.post('/api/spaces/plans/speech', { text: 'Hello' }).expect(403)
    await start.click()
    await page.getByRole('button', { name: 'Stop Scout' }).waitFor()
    await scout.post('/api/spaces/plans/speech', { text: 'Hello' }).expect(200)

    await page.getByRole('button', { name: 'Actions for Scout' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Add your first agent').waitFor()
    await scout.get('/api/actors/me').expect(401)
  })
})

describeInBrowser('an invited agent', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  const directory = useDirectory()

  it('joins by a one-time command', async () => {
    const ada = await server.registerHuman('Ada')
    const { page } = await browser.comeIn(ada, '/agents')
    await page.getByRole('button', { name: 'New agent' }).first().click()
    await page.getByLabel('Name').fill('Scout')
    await page.getByRole('button', { name: 'Invite agent' }).click()
    const line = await page.getByLabel('Command for the agent').inputValue()
    expect(line).toMatch(new RegExp(`^spaces agent join agt_code_[0-9a-f]+ --url ${server.url}$`))
    const withCurl = await page.getByLabel('Without the spaces CLI').inputValue()
    await page.getByRole('button', { name: "I've pasted it" }).click()
    await page.getByRole('list', { name: 'Invited' }).getByText('Scout').waitFor()

    execFileSync('sh', ['-c', withCurl], { cwd: directory.path })
    const file = join(directory.path, 'spaces-agent.json')
    expect((await stat(file)).mode & 0o077).toBe(0)
    const { api_key } = JSON.parse(await readFile(file, 'utf8'))
    const me = await server.as(api_key).get('/api/actors/me').expect(200)
    expect(me).toMatchObject({ display_name: 'Scout', sponsor_id: ada.actor_id, scopes: ['read', 'write'] })
    await page.reload()
    await page.getByRole('list', { name: 'Your agents' }).getByText('Connected').waitFor()
    expect(await page.getByRole('list', { name: 'Invited' }).count()).toBe(0)
  })
})

describeInBrowser('a tenant', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('is created, and a member joins by invite', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const one = await browser.comeIn(ada, '/tenant')
    await one.page.getByLabel('Name').fill('Analytical Engines')
    await one.page.getByRole('button', { name: 'Create organization' }).click()
    await one.page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
    await one.page.getByText('Members cannot post in the name of another member.').waitFor()
    await one.page.getByRole('button', { name: 'Change', exact: true }).click()
    await one.page.getByLabel('In whose name can members and their agents post?').selectOption('In their own name only')
    await one.page.getByRole('button', { name: 'Save' }).click()
    await one.page.getByText('Members post in their own name only.').waitFor()
    await one.page.getByRole('button', { name: 'Invite member' }).click()
    await one.page.getByRole('button', { name: 'Create invite' }).click()
    const link = await one.page.getByLabel('Link', { exact: true }).inputValue()
    await one.page.getByRole('button', { name: "I've saved it" }).click()

    const other = await browser.comeIn(grace, '/tenant')
    await other.page.getByRole('button', { name: 'Redeem an invite' }).click()
    await other.page.getByLabel('Invite code or link').fill(link)
    await other.page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await other.page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
    await other.page.getByRole('list', { name: 'Members' }).getByText('Grace').waitFor()
    await other.page.getByText('Members post in their own name only.').waitFor()
    expect(await other.page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0)
  })

  it('is joined by a link, with a new account or an existing one', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    await server.as(ada).post('/api/tenants', { name: 'Engines' }).expect(200)
    const one = await browser.comeIn(ada, '/tenant')
    await one.page.getByRole('button', { name: 'Invite member' }).click()
    await one.page.getByLabel('Email addresses').fill('bob@example.org, carol@example.org')
    await one.page.getByRole('button', { name: 'Create 2 invites' }).click()
    const lines = (await one.page.getByLabel('Link', { exact: true }).inputValue()).split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['bob@example.org', 'carol@example.org'])
    const [, bobs = ''] = lines[0]?.split(' ') ?? []

    const newcomer = await browser.person()
    await newcomer.page.goto(bobs)
    await newcomer.page.getByText('You are invited.').waitFor()
    expect(newcomer.page.url()).toBe(`${server.url}/`)
    await newcomer.page.getByLabel('Your name').fill('Bob')
    await newcomer.page.getByLabel('Email').fill('bob@example.org')
    await newcomer.page.getByRole('button', { name: 'Create account' }).click()
    await newcomer.page.getByRole('button', { name: "I've saved it" }).click()
    await newcomer.page.getByRole('button', { name: 'Account: Bob' }).waitFor()
    expect(await newcomer.page.getByRole('dialog').count()).toBe(0)

    // Signed in before the link is opened, and after it.
    const ivy = await server.registerHuman('Ivy')
    const visitor = await browser.person()
    for (const [person, member] of [
      [await browser.comeIn(grace, '/'), grace],
      [visitor, ivy],
    ] as const) {
      const { url } = await server.as(ada).post('/api/invites', {}).expect(200)
      await person.page.goto(url)
      if (person === visitor) {
        await person.page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
        await person.page.getByLabel('API key or token').fill(member.api_key)
        await person.page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
      }
      const dialog = person.page.getByRole('dialog', { name: 'Redeem an invite' })
      await dialog.getByRole('button', { name: 'Redeem' }).click()
      await dialog.waitFor({ state: 'hidden' })
      expect(await server.as(member).get('/api/actors/me').expect(200)).toMatchObject({ tenant_id: expect.any(String) })
    }
  })
})
