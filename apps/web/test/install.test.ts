import { eventually, query, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'
import { sightIsTold, tellSight } from './support/sight.js'

describeInBrowser('the page', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('can be installed, with icons for every launcher', async () => {
    const { page, context, open } = await opened()
    await open('/')
    const session = await context.newCDPSession(page)
    const { errors, data = '{}' } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // A private context cannot install anything.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    // The headless shell does not report this error, so the criteria are checked here, too.
    const manifest = JSON.parse(data)
    expect(manifest).toMatchObject({ short_name: 'Spaces', display: 'standalone', start_url: '/', scope: '/' })
    const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
    const icons: readonly { src: string; sizes: string; purpose?: string }[] = manifest.icons
    expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
    for (const size of ['192x192', '512x512']) {
      expect(icons.some(({ sizes, purpose = 'any' }) => sizes === size && purpose === 'any')).toBe(true)
    }
    for (const [src, sizes] of [...icons.map(({ src, sizes }) => [src, sizes]), [touch, '180x180']]) {
      const size = await page.evaluate(sizeOf, src as string)
      if (sizes !== 'any') expect(`${src}: ${size}`).toBe(`${src}: ${sizes}`)
    }
  })

  it('reports presence while it is visible, and not when it is hidden or closed', async () => {
    const ada = await server.registerHuman('Ada')
    const { page, context } = await opened()
    await context.addInitScript(sightIsTold)
    await page.goto(server.url)
    await page.getByLabel('API key or token').fill(ada.api_key)
    await page.getByRole('button', { name: 'Sign in' }).last().click()
    const views = async () => {
      const { rowCount } = await query(server.connection, 'SELECT FROM presences WHERE actor_id = $1', [ada.actor_id])
      return rowCount
    }
    await eventually(async () => (await views()) === 1)
    await page.evaluate(tellSight, 'hidden')
    await eventually(async () => (await views()) === 0)
    await page.evaluate(tellSight, 'visible')
    await eventually(async () => (await views()) === 1)
    await page.goto('about:blank')
    await eventually(async () => (await views()) === 0)
  })

  const opened = async () => {
    const person = await browser.person()
    return { page: person.page, context: person.context, open: (path: string) => person.open(path) }
  }
})

/** Returns the size of an image in the form of a manifest. */
async function sizeOf(src: string): Promise<string> {
  const image = new Image()
  image.src = src
  await image.decode()
  return `${image.naturalWidth}x${image.naturalHeight}`
}
