import { eventually, freePorts, useProgram } from '@collab-spaces/testing'
import { settingsFor, useProvider } from '@collab-spaces/testing/identity-provider'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { useMail } from './support/smtp.js'

const port = await freePorts(1)

describeInBrowser('signing in', () => {
  const idp = useProvider(port)
  const server = useProgram({ REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32), ...settingsFor(port) })
  const browser = useBrowser(server)

  /** Passkeys need a host name, not an IP address. */
  const site = () => server.url.replace('127.0.0.1', 'localhost')

  /** A virtual authenticator that verifies the user. */
  async function withAuthenticator({ page, context }: Person): Promise<void> {
    const session = await context.newCDPSession(page)
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

  it('explains where passkeys work if they do not work here', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.person()
    const { page } = person
    await person.open('/credentials')
    const note = page.getByText('Passkeys work only at')
    await note.waitFor()
    await person.signIn(ada)
    await note.getByRole('link', { name: site() }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(page.url()).toBe(`${site()}/credentials`)
    expect(await note.count()).toBe(0)
  })

  it('signs in by the identity provider, and connects an existing account', async () => {
    const grace = await server.registerHuman('Grace')
    const [newcomer, another, hers] = ['newcomer', 'another', 'grace'].map((subject) => {
      idp.current.accounts.set(subject, { email: `${subject}@example.org`, email_verified: true, name: subject })
      return subject
    }) as [string, string, string]

    idp.current.signedIn = newcomer
    const visitor = await browser.person()
    await visitor.open('/')
    await visitor.page.getByRole('button', { name: /^Continue with / }).click()
    await visitor.page.getByRole('heading', { name: `Hello, ${newcomer}` }).waitFor()

    // Signing out ends the session at the provider, which sends the browser back.
    await visitor.page.getByRole('button', { name: /^Account/ }).click()
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await visitor.page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await visitor.page.getByRole('button', { name: /^Continue with / }).waitFor()
    expect(new URL(visitor.page.url()).pathname).toBe('/')

    // With a session there, the provider would not ask for a user, and sign in the same one.
    idp.current.signedIn = another
    await visitor.page.getByRole('button', { name: /^Continue with / }).click()
    await visitor.page.getByRole('heading', { name: `Hello, ${another}` }).waitFor()
    await visitor.open('/credentials')
    await visitor.page.getByRole('button', { name: 'End all sessions' }).click()
    await visitor.page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await visitor.page.getByRole('button', { name: /^Continue with / }).waitFor()

    idp.current.signedIn = hers
    const { page } = await browser.comeIn(grace, '/credentials')
    await page.getByRole('button', { name: /^Connect / }).click()
    await page.getByText(/^Identity /).waitFor()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /^Continue with / }).click()
    await page.getByRole('button', { name: 'Account: Grace' }).waitFor()
    const listed = await server.as(grace).get(`/api/actors/${grace.actor_id}/credentials`).expect(200)
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['api_key', 'session', 'identity'])
  })

  it('authorizes a CLI on another machine by its code', async () => {
    const ada = await server.registerHuman('Ada')
    const { device_code, user_code } = await server.post('/api/devices', { name: 'build-server' }).expect(200)
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await person.open('/device')
    await page.getByLabel('Code').fill(user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Authorize the CLI on build-server to act as Ada?' }).waitFor()
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('heading', { name: 'CLI authorized. You can close this page.' }).waitFor()
    expect(await server.post('/api/devices/poll', { device_code }).expect(200)).toMatchObject({ status: 'signed_in' })
  })

  it('reports that the provider denied the sign-in', async () => {
    const person = await browser.person()
    await person.open('/sign-in/callback?error=access_denied&state=x')
    await person.page.getByText('The identity provider denied the sign-in.').waitFor()
  })

  it('rejects a forged redirect to the callback', async () => {
    const person = await browser.person()
    await person.open('/sign-in/callback?code=stolen&state=stolen')
    await person.page.getByText('This sign-in did not start in this tab, or was abandoned. Start over.').waitFor()
    expect(person.page.url()).toBe(`${server.url}/sign-in/callback`)
  })
})

describeInBrowser('signing in by email', () => {
  const mail = useMail()
  const server = useProgram(
    Object.assign(mail.settings, { REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32), ...settingsFor(port) }),
  )
  const browser = useBrowser(server)

  /** Returns the newest link that an address was sent. */
  const linkTo = (address: string, earlier = 0) =>
    eventually(() => {
      const texts = mail.server.messages.filter(({ to }) => to === address).map(({ text }) => text)
      return texts.length > earlier ? /\S+\/sign-in\/email\S+/.exec(texts.at(-1) ?? '')?.[0] : undefined
    })

  async function opened({ context }: Person, link: string): Promise<Page> {
    const tab = await context.newPage()
    await tab.goto(link)
    return tab
  }

  it('adds an address, and signs in with it in the browser that requested the link', async () => {
    const ada = await server.registerHuman('Ada')
    const person = await browser.comeIn(ada, '/credentials')
    const { page } = person
    await page.getByRole('button', { name: 'Add an email address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an email address' })
    await dialog.getByLabel('Email address').fill('ada@example.org')
    await page.keyboard.press('Enter')
    await dialog.getByText('We sent a link to ada@example.org.').waitFor()
    // A tab of the same browser without the account, as it is not remembered.
    const confirming = await opened(person, await linkTo('ada@example.org'))
    await confirming.getByRole('heading', { name: 'Address confirmed' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await page.getByText('Identity ada@example.org').waitFor()

    const other = await browser.person()
    await other.open('/')
    await other.page.getByRole('button', { name: 'Sign in by email link' }).click()
    await other.page.getByLabel('Email address').fill('ada@example.org')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('status').getByText('Check your email').waitFor()
    const link = await linkTo('ada@example.org', 1)
    // In a browser that did not request it, such as that of a mail scanner.
    const scanner = await opened(await browser.person(), link)
    await scanner.getByText('This link works only in the browser that requested it').waitFor()
    const tab = await opened(other, link)
    await tab.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    expect(tab.url()).toBe(`${server.url}/`)
    const again = await opened(other, link)
    await again.getByText('This link works only in the browser that requested it').waitFor()
  })

  it('answers the same for an unknown address, and sends again after a delay', async () => {
    const { page, context } = await browser.person()
    await context.clock.install()
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Sign in by email link' }).click()
    await page.getByLabel('Email address').fill('unknown@example.org')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('If an account signs in with unknown@example.org').waitFor()
    const resend = page.getByRole('button', { name: 'Resend link' })
    expect(await resend.isDisabled()).toBe(true)
    for (let sent = 1; sent <= 5; sent++) {
      const answered = page.waitForResponse((response) => response.url().includes('signIn.beginEmail'))
      await expect
        .poll(async () => {
          await context.clock.fastForward(30_000)
          return resend.isEnabled()
        })
        .toBe(true)
      await resend.click()
      await answered
    }
    await page.getByRole('alert').getByText('Too many sign-in links were requested for this e-mail address').waitFor()
    expect(mail.server.messages.filter(({ to }) => to === 'unknown@example.org')).toEqual([])
  })

  it('reports an expired link, and starts over', async () => {
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await page.getByRole('button', { name: 'Sign in by email link' }).click()
    await page.getByLabel('Email address').fill('unknown@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Check your email').waitFor()
    const tab = await opened(person, `${server.url}/sign-in/email#made-up`)
    await tab.getByText('The sign-in failed or took too long: begin again').waitFor()
    await tab.getByRole('link', { name: 'Start over' }).click()
    await tab.getByRole('button', { name: 'Sign in by email link' }).waitFor()
  })
})
