// Takes a picture of every page of the built page in three widths, light and dark, for people to look at:
//
//   pnpm build && pnpm --filter @collab-spaces/web screenshots [--only PART]     # such as space or phone-dark
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
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
const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values
const begin = Date.now()

await onStage(async ({ url, browser }) => {
  const people = await makePeople(url)
  await makeTenant(url, people)
  const made = await makeHistory(url, people)
  const places = { ...made, ...(await makeRest(url, people, made)) }
  const newcomer = await createClient({ url }).actor.register.mutate({ display_name: 'Kay', email: 'kay@example.org' })
  const door = async (look) => (await browser.newContext({ locale: 'en-GB', ...look })).newPage()
  const albums = [
    { pictures: behindIt(places), open: (look) => signedIn(browser, url, people.ada, look) },
    { pictures: atTheDoor(), open: door },
    { pictures: stillEmpty(), open: (look) => signedIn(browser, url, newcomer, look) },
  ]
  const rolls = albums.flatMap((album) => looks().map((look) => rollOf(album, look))).filter((roll) => roll.count > 0)
  rmSync(SCREENSHOTS, { recursive: true, force: true })
  mkdirSync(SCREENSHOTS, { recursive: true })
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, () => takeRolls(rolls, url)))
})

function looks() {
  return Object.entries(WIDTHS).flatMap(([size, viewport]) =>
    ['light', 'dark'].map((colorScheme) => ({ size, viewport, colorScheme, reducedMotion: 'reduce' })),
  )
}

/** The pictures of one window, which are taken one after another. */
function rollOf({ pictures, open }, { size, ...look }) {
  const nameOf = (name) => `${name}-${size}-${look.colorScheme}.png`
  const wanted = pictures.filter(([name]) => nameOf(name).includes(only))
  return { pictures: wanted, open: () => open(look), nameOf, count: wanted.length }
}

async function takeRolls(rolls, url) {
  for (let roll = rolls.shift(); roll; roll = rolls.shift()) {
    const { pictures, open, nameOf, count } = roll
    await takeAll(await open(), url, pictures, (name) => SCREENSHOTS + nameOf(name))
    const seconds = Math.round((Date.now() - begin) / 1_000)
    process.stdout.write(`${count} pictures like ${nameOf(pictures[0][0])}, after ${seconds} s\n`)
  }
}
