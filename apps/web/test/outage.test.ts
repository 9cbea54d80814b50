import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('somebody whose server is gone', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('still gets to pages that were never opened, and is told what keeps them empty', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    const { page } = person
    // What comes last of all that is loaded ahead, which a busy machine does one after another.
    const last = page.waitForResponse(/LinksPanel.*\.js/, { timeout: 100_000 })
    await person.open('/')
    await person.signIn(ada)
    await (await last).finished()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).waitFor()

    await server.kill()
    for (const name of ['Agents', 'Credentials']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
    }
    await page.getByText('The server does not answer').waitFor()
    await server.start()
    await page.getByText('Give programs tokens, not your key').waitFor()
    expect(await page.getByText('This page stopped working').count()).toBe(0)
  })
})
