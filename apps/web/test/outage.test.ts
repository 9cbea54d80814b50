import { readdirSync } from 'node:fs'
import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

const PAGES = ['Agents', 'Credentials']
const ASSETS = new URL('../dist/assets/', import.meta.url)

/** The names of what is loaded for pages, which has a digest in it. */
const filesOf = (pages: string[]) =>
  readdirSync(ASSETS).filter((file) => pages.some((page) => new RegExp(`^${page}Page-.*\\.(js|css)$`).test(file)))

/** In the page, which loads ahead one after another, late on a busy machine. */
const hasLoaded = (files: string[]) => {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  return files.every((file) => loaded.some((name) => name.endsWith(file)))
}

describeInBrowser('somebody whose server is gone', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('still gets to pages that were never opened, and is told what keeps them empty', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await person.signIn(ada)
    await page.waitForFunction(hasLoaded, filesOf(PAGES), { timeout: 100_000 })

    await server.kill()
    for (const name of PAGES) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
    }
    await page.getByText('The server is not responding').waitFor()
    await server.start()
    await page.getByText('Give programs tokens, not your key').waitFor()
    expect(await page.getByText('This page stopped working').count()).toBe(0)
  })
})
