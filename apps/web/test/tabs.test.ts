import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { it } from 'vitest'
import { describeInBrowser, Person, useBrowser } from './support/browser.js'

/** More than a browser has connections for a server. */
const TABS = 9

describeInBrowser('tabs of one browser', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('hold no connection while out of sight, so the next one is live, and they go on where they were', async () => {
    const ada = await server.registerHuman('Ada')
    const { context, page } = await browser.person()
    await context.addInitScript(sightIsTold)
    const door = new Person(page, context, server.url)
    await door.open('/')
    await door.signIn(ada, true)
    const say = (path: string, text: string) => server.as(ada).post(`${path}/speech`, { text }).expect(200)
    const tabs: { readonly path: string; readonly tab: Person }[] = []
    for (let n = 0; n < TABS; n++) {
      const path = await server.openSpace(ada)
      await say(path, 'hello')
      const tab = new Person(await context.newPage(), context, server.url)
      await tab.open(`/s/${spaceIdOf(path)}`)
      await tab.sees('hello')
      await say(path, 'live')
      await tab.sees('live')
      await tab.page.evaluate(tellSight, 'hidden')
      tabs.push({ path, tab })
    }
    for (const { path } of tabs) await say(path, 'meanwhile')
    for (const { tab } of tabs.slice(0, 2)) {
      await tab.page.evaluate(tellSight, 'visible')
      await tab.sees('meanwhile')
    }
  })
})

/** A browser without windows has every tab in sight: here a tab is told whether it is. */
function sightIsTold(): void {
  let sight = 'visible'
  Object.defineProperty(document, 'visibilityState', { get: () => sight })
  window.addEventListener('told-sight', (event) => {
    sight = (event as CustomEvent<string>).detail
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

function tellSight(sight: string): void {
  window.dispatchEvent(new CustomEvent('told-sight', { detail: sight }))
}
