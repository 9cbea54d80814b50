import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearer, useProgram } from '@collab-spaces/testing'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('an app that requests access', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32) })
  const browser = useBrowser(server)

  it('is authorized as a new agent, within limits', async () => {
    const ada = await server.registerHuman('Ada')
    const program = await newProgram()
    const person = await browser.person()
    await person.open(program.asks)
    const { page } = person
    await page.getByLabel('API key or token').waitFor()
    await person.signIn(ada)
    await page.getByRole('heading', { name: 'Connect Chat?' }).waitFor()
    await page.getByText('None: its identity is not verified').waitFor()
    await page.getByText(new URL(program.redirect).host).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Read' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Settle' }).isChecked()).toBe(false)
    await page.getByLabel('Acts as').selectOption({ label: 'A new agent' })
    await page.getByLabel('Name of the agent').fill('Chatty')
    await page.getByRole('checkbox', { name: 'Write' }).uncheck()
    await page.getByLabel('Expires').selectOption({ label: 'After a day' })
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('You may go on').waitFor()
    const { access_token, scope } = await program.redeem(page.url())
    expect(scope).toBe('read')
    expect(await program.me(access_token)).toContain('Chatty')

    await person.open('/credentials')
    await page.getByText('Acts as Chatty').waitFor()
    await page.getByRole('button', { name: /^Revoke Chat / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Acts as Chatty').waitFor({ state: 'detached' })
    expect(await program.me(access_token)).toContain('Authentication required')
  })

  it('is denied, and its request is hidden from another browser', async () => {
    const ada = await server.registerHuman('Ada')
    const program = await newProgram()
    const person = await browser.comeIn(ada, program.asks)
    const { page } = person
    await page.getByRole('heading', { name: 'Connect Chat?' }).waitFor()
    const other = await browser.comeIn(ada, new URL(page.url()).pathname)
    await other.page
      .getByText('This request has expired or was made in another browser: go back to the program')
      .waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('You may go on').waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    const agents = await server.as(ada).get('/api/actors/me/agents').expect(200)
    expect(agents).toEqual([])
  })

  /** An OAuth client with a redirect page. */
  async function newProgram() {
    const page = createServer((_request, response) => response.end('You may go on')).listen(0, '127.0.0.1')
    await once(page, 'listening')
    onTestFinished(() => void page.close())
    const redirect = `http://127.0.0.1:${(page.address() as AddressInfo).port}/callback`
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Chat', redirect_uris: [redirect] }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const verifier = randomBytes(32).toString('base64url')
    const asks = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read write settle',
    })
    return {
      redirect,
      asks: `/oauth/authorize?${asks}`,
      async redeem(url: string): Promise<{ access_token: string; scope: string }> {
        const code = new URL(url).searchParams.get('code') ?? ''
        const body = {
          grant_type: 'authorization_code',
          client_id,
          redirect_uri: redirect,
          code,
          code_verifier: verifier,
        }
        const answer = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
        return (await answer.json()) as { access_token: string; scope: string }
      },
      async me(token: string): Promise<string> {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }
        const headers = {
          ...bearer(token),
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        }
        const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })
        return answer.text()
      },
    }
  }
})
