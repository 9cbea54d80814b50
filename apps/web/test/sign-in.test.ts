import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('signing in', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32) })
  const browser = useBrowser(server)

  /** Passkeys are for a name, which an address is not. */
  const site = () => server.url.replace('127.0.0.1', 'localhost')

  /** A device that makes passkeys, and knows who is there. */
  async function withAuthenticator({ page }: Person): Promise<void> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
  }

  it('adds a passkey, and signs in with it', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.person()
    const { page } = person
    await withAuthenticator(person)
    await page.goto(`${site()}/credentials`)
    await page.getByLabel('API key or token').fill(ada.api_key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(/^Passkey Chrome on/).waitFor()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    const listed = await server.as(ada).get(`/api/actors/${ada.actor_id}/credentials`).expect(200)
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'session', 'passkey'])
    // Signing out ends the session on the server, too.
    await page.getByRole('button', { name: /^Account/ }).click()
    const ended = page.waitForResponse((response) => response.url().includes('signIn.out'))
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    expect((await ended).status()).toBe(200)
    const left = await server.as(ada).get(`/api/actors/${ada.actor_id}/credentials`).expect(200)
    expect(left).toHaveLength(2)
  })

  it('lets a command in on another machine, by the code that it shows', async () => {
    const ada = await server.registerHuman('Ada')
    const { device_code, user_code } = await server.post('/api/devices', { name: 'build-server' }).expect(200)
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await person.open('/device')
    await page.getByLabel('Code').fill(user_code)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Let the command on build-server act as Ada?' }).waitFor()
    await page.getByRole('button', { name: 'Let it in' }).click()
    await page.getByRole('heading', { name: 'The command is in. You can close this page.' }).waitFor()
    expect(await server.post('/api/devices/poll', { device_code }).expect(200)).toMatchObject({ status: 'signed_in' })
  })

  it('takes nothing from somebody who was sent to the callback', async () => {
    const person = await browser.person()
    await person.open('/sign-in/callback?code=stolen&state=stolen')
    await person.page.getByText('This sign-in was not begun in this tab, or was left. Begin again.').waitFor()
    expect(person.page.url()).toBe(`${server.url}/sign-in/callback`)
  })
})
