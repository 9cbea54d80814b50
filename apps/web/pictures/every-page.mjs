import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@collab-spaces/client'
import { guideOf, onStage, signedIn } from '../stage.mjs'
import { makeHistory, makePeople, makeRest, makeTenant } from './history.mjs'
import { indexOf } from './index-page.mjs'
import { amongMany, atTheDoor, behindIt, inSample, stillEmpty } from './pages.mjs'
import { makeTeam } from './team.mjs'

const FINGERS = { hasTouch: true, isMobile: true }
const WIDTHS = {
  wide: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 820, height: 1180 }, ...FINGERS },
  phone: { viewport: { width: 390, height: 844 }, ...FINGERS },
}
const SCHEMES = ['light', 'dark']
const HELP = `Takes a screenshot of every page of the build in three widths, light and dark, for review.

Usage: pnpm build && pnpm --filter @collab-spaces/web screenshots [options]

  --only PART       Those whose names have this part, such as space or phone-dark
  --locale LOCALE   Language of the browser (default: en-GB)
  --team            Add a team with many spaces in several scripts
  --minutes N       Time limit (default: 15)
  --help            Show this help

screenshots/LOCALE/index.html shows them all. Those that fail or run out of time are listed at the end.`
/** The timeout of one screenshot. */
const PICTURE_MS = 60_000

const options = {
  only: { type: 'string', default: '' },
  locale: { type: 'string', default: 'en-GB' },
  team: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '15' },
  help: { type: 'boolean', default: false },
}
const { only, locale, team, minutes, help } = parseArgs({ options }).values
if (help) {
  process.stdout.write(`${HELP}\n`)
  process.exit()
}
const SCREENSHOTS = fileURLToPath(new URL(`../screenshots/${locale}/`, import.meta.url))
const begin = Date.now()
const end = begin + Number(minutes) * 60_000
const taken = []
const missing = []

await onStage(async (stage) => {
  const { url, browser } = stage
  const people = await makePeople(url)
  await makeTenant(url, people)
  const made = await makeHistory(url, people)
  const places = { ...made, ...(await makeRest(url, people, made)) }
  const crowd = team ? amongMany(await makeTeam(stage, people, made)) : []
  const join = (display_name, email) => createClient({ url }).actor.register.mutate({ display_name, email })
  const [newcomer, curious] = [await join('Kay', 'kay@example.org'), await join('Joan', 'joan@example.org')]
  const door = async (look) => (await browser.newContext(look)).newPage()
  const albums = [
    { pictures: [...crowd, ...behindIt(places)], open: (look) => signedIn(browser, url, people.ada, look) },
    { pictures: atTheDoor(), open: door },
    { pictures: stillEmpty(), open: (look) => signedIn(browser, url, newcomer, look) },
    { pictures: inSample(), open: (look) => signedIn(browser, url, curious, look) },
  ]
  const rolls = albums.flatMap((album) => Object.keys(WIDTHS).map((size) => rollOf(album, size)))
  rmSync(SCREENSHOTS, { recursive: true, force: true })
  mkdirSync(SCREENSHOTS, { recursive: true })
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, () => takeRolls(rolls, url)))
})
writeFileSync(`${SCREENSHOTS}index.html`, indexOf(taken.toSorted()))
process.stdout.write(`${taken.length} pictures after ${seconds()} s: ${SCREENSHOTS}index.html\n`)
if (missing.length > 0) {
  process.stderr.write(`${missing.length} could not be taken:\n${missing.map((one) => `  ${one}\n`).join('')}`)
  process.exitCode = 1
}

/** Takes the screenshots of one window one after another: each view once, in both schemes. */
function rollOf({ pictures, open }, size) {
  const wanted = (name) => SCHEMES.filter((scheme) => nameOf(name, size, scheme).includes(only))
  const look = { ...WIDTHS[size], locale, colorScheme: SCHEMES[0], reducedMotion: 'reduce' }
  return { size, wanted, pictures: pictures.filter(([name]) => wanted(name).length > 0), open: () => open(look) }
}

function nameOf(name, size, scheme) {
  return `${name}-${size}-${scheme}.png`
}

async function takeRolls(rolls, url) {
  for (let roll = rolls.shift(); roll; roll = rolls.shift()) await takeRoll(roll, url)
}

async function takeRoll({ size, wanted, pictures, open }, url) {
  let window = null
  for (const picture of pictures) {
    const [name] = picture
    try {
      if (Date.now() > end) throw new Error('There was no time for it')
      window ??= await within(PICTURE_MS, openWindow(open, url))
      await within(PICTURE_MS, take(window, picture, size, wanted(name)))
    } catch (error) {
      missing.push(`${name}-${size}: ${error.message.split('\n')[0]}`)
      // A new page keeps the next screenshot from hanging, too.
      void window?.page.context().close()
      window = null
    }
  }
  await window?.page.context().close()
  process.stdout.write(`${pictures.length} places, ${size}, after ${seconds()} s\n`)
}

async function openWindow(open, url) {
  const page = await open()
  return { page, goTo: guideOf(page, url) }
}

async function take({ page, goTo }, picture, size, schemes) {
  await goTo(picture)
  for (const colorScheme of schemes) {
    const file = nameOf(picture[0], size, colorScheme)
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: SCREENSHOTS + file, animations: 'disabled' })
    taken.push(file)
  }
  await page.emulateMedia({ colorScheme: SCHEMES[0] })
}

function seconds() {
  return Math.round((Date.now() - begin) / 1_000)
}

/** Resolves like a promise, or rejects after a timeout. */
function within(ms, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${ms / 1_000} s`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
