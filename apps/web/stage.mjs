// A server of its own with a made-up history, and the browser of this machine before it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '@collab-spaces/testing/programs'
import { chromium } from 'playwright-core'

/** So often in a row has a page that shows everything nothing to ask for. */
const TURNS = 3
/** How long a page may take on a busy machine until it has nothing to ask for. */
const LONGEST_REST_MS = 60_000

/** Does something with the built server and a browser, and ends both whatever comes of it. */
export async function onStage(play) {
  const directory = mkdtempSync(join(tmpdir(), 'pictures-'))
  const dataDir = join(directory, 'data')
  const server = new Program({ DATA_DIR: dataDir, REGISTRATION_LIMIT: '0', WEBHOOK_NETWORKS: 'loopback' })
  try {
    const url = await server.url()
    const browser = await chromium.launch({ executablePath: executable() })
    try {
      await play({ url, browser, dataDir })
    } finally {
      await browser.close()
    }
  } finally {
    await server.kill('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  }
}

function executable() {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const found = names.map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  const path = found.find((path) => path !== '')
  if (path === undefined) throw new Error(`None of ${names.join(', ')} is on this machine`)
  return path
}

/** A page in a window of its own, in which somebody is signed in. */
export async function signedIn(browser, url, actor, options) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('API key or token').fill(actor.api_key)
  await page.getByRole('button', { name: 'Sign in' }).last().click()
  await page.getByRole('heading', { name: `Hello, ${actor.display_name}` }).waitFor()
  return page
}

/** Goes from picture to picture in a page: each time to an address, where something is done before it is taken. */
export function guideOf(page, url) {
  const comeToRest = restOf(page)
  return async ([, path, act]) => {
    comeToRest.anew()
    await page.goto(url + path)
    await comeToRest()
    if (!act) return
    await act(page)
    await comeToRest()
  }
}

/** Waits, whenever it is called, until a page shows what there is to show. */
function restOf(page) {
  const underWay = new Set()
  page.on('request', (request) => isForAWhile(request) || underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const comeToRest = async () => {
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    const end = Date.now() + LONGEST_REST_MS
    // Content that has just come may ask for more.
    for (let quiet = 0; quiet < TURNS; quiet++) {
      await page.evaluate(nextTurn)
      if (underWay.size > 0) quiet = -1
      if (Date.now() > end) throw new Error(`${page.url()} waits for ${[...underWay].map((one) => one.url())}`)
    }
  }
  // Requests of the page before are of no concern, and their end is not always told.
  return Object.assign(comeToRest, { anew: () => underWay.clear() })
}

/** Streams stay open: they end with the page. */
const isForAWhile = (request) => new URL(request.url()).pathname.endsWith('/stream')

/** Until the page has nothing to do, has its fonts, and has drawn what it did last; a page beside others may draw nothing. */
function nextTurn() {
  const idle = new Promise((resolve) => requestIdleCallback(resolve))
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const late = new Promise((resolve) => setTimeout(resolve, 300))
  return Promise.race([Promise.all([idle, document.fonts.ready]).then(drawn), late]).then(() => undefined)
}
