import { readdirSync } from 'node:fs'
import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

/** The component of each page, and its title. */
const PAGES = { Agents: 'Agents', Credentials: 'Account and security' }
const ASSETS = new URL('../dist/assets/', import.meta.url)

/** The file names of page chunks, which contain a digest. */
const filesOf = (pages: string[]) =>
  readdirSync(ASSETS).filter((file) => pages.some((page) => new RegExp(`^${page}Page-.*\\.(js|css)$`).test(file)))

/** Runs in the page, which preloads chunks one after another. */
const hasLoaded = (files: string[]) => {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  return files.every((file) => loaded.some((name) => name.endsWith(file)))
}

describeInBrowser('a page without a server', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('loads even if it was never opened, and explains why it is empty', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await page.waitForFunction(hasLoaded, filesOf(Object.keys(PAGES)), { timeout: 100_000 })

    await server.kill()
    for (const name of Object.values(PAGES)) {
      await person.openSettings(name)
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
    }
    await page.getByText('The server is not responding').waitFor()
    await server.start()
    await page.getByText('Give programs tokens, not your key').waitFor()
    expect(await page.getByText('This page stopped working').count()).toBe(0)
  })

  it('waits for the server if its files are missing, with one notice', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    const { page } = person
    // The state before the page has preloaded its other files.
    await page.route(/\/assets\/AgentsPage-/, (route) => route.abort())
    await person.open(path.replace('/api/spaces', '/s'))
    await person.signIn(ada)
    await page.getByText('Start the conversation').waitFor()
    await server.kill()
    await person.say('Hello?')
    await page.getByText('The server is not responding').waitFor()
    expect(await page.getByText('Reconnecting…').count()).toBe(0)
    await person.openSettings('Agents')
    await page.getByRole('heading', { name: 'Hello?' }).waitFor({ state: 'detached' })
    expect(await page.getByText('This page stopped working').count()).toBe(0)
    await page.unroute(/\/assets\/AgentsPage-/)
    await server.start()
    await page.getByRole('heading', { name: 'Agents', exact: true, level: 1 }).waitFor()
    expect(await page.getByText('This page stopped working').count()).toBe(0)
  })
})
