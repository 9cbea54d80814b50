// Takes a picture of every page of the built page in three widths, light and dark, for people to look at:
//
//   pnpm build && pnpm --filter @collab-spaces/web screenshots [part of a name, such as space or phone-dark]
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient } from '@collab-spaces/client'
import { onStage, signedIn, takeAll } from '../stage.mjs'
import { makeHistory, makePeople, makeRest, makeTenant } from './history.mjs'
import { atTheDoor, behindIt, stillEmpty } from './pages.mjs'

const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url))
const WIDTHS = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 834, height: 1112 },
  phone: { width: 390, height: 844 },
}
const [only = ''] = process.argv.slice(2)

rmSync(SCREENSHOTS, { recursive: true, force: true })
mkdirSync(SCREENSHOTS, { recursive: true })

await onStage(async ({ url, browser }) => {
  const people = await makePeople(url)
  await makeTenant(url, people)
  const made = await makeHistory(url, people)
  const places = { ...made, ...(await makeRest(url, people, made)) }
  const newcomer = await createClient({ url }).actor.register.mutate({ display_name: 'Kay', email: 'kay@example.org' })
  for (const [size, viewport] of Object.entries(WIDTHS)) {
    for (const colorScheme of ['light', 'dark']) {
      const look = { viewport, colorScheme, reducedMotion: 'reduce' }
      const fileOf = (name) => {
        const file = `${name}-${size}-${colorScheme}.png`
        return file.includes(only) ? SCREENSHOTS + file : null
      }
      const door = await (await browser.newContext({ locale: 'en-GB', ...look })).newPage()
      await takeAll(door, url, atTheDoor(), fileOf)
      await takeAll(await signedIn(browser, url, people.ada, look), url, behindIt(places), fileOf)
      await takeAll(await signedIn(browser, url, newcomer, look), url, stillEmpty(), fileOf)
    }
  }
})
