// Starts a server with a sample history, and a local browser.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '@collab-spaces/testing/programs'
import { chromium } from 'playwright-core'

/** The number of consecutive idle checks after which a page is complete. */
const TURNS = 3
/** The timeout for a page to become idle, on a busy machine. */
const LONGEST_REST_MS = 60_000

/** Runs a function with the built server and a browser, and stops both afterwards. */
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

/** Returns the path of a local browser. */
export function executable() {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const found = names.map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  const path = found.find((path) => path !== '')
  if (path === undefined) throw new Error(`None of ${names.join(', ')} is on this machine`)
  return path
}

/** Opens a page in a new context with a signed-in account. */
export async function signedIn(browser, url, actor, options) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('API key or token').fill(actor.api_key)
  await page.getByRole('button', { name: 'Sign in' }).last().click()
  await page.getByRole('heading', { name: `Hello, ${actor.display_name}` }).waitFor()
  return page
}

/** Takes pictures in one page: navigates to a path and runs the steps before each. */
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

/** Returns a function that waits until a page has loaded completely. */
function restOf(page) {
  const underWay = new Set()
  page.on('request', (request) => isForAWhile(request) || underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const comeToRest = async () => {
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    const end = Date.now() + LONGEST_REST_MS
    // New content may start further requests.
    for (let quiet = 0; quiet < TURNS; quiet++) {
      await page.evaluate(nextTurn)
      if (underWay.size > 0) quiet = -1
      if (Date.now() > end) throw new Error(`${page.url()} waits for ${[...underWay].map((one) => one.url())}`)
    }
  }
  // Requests of the previous page do not count: their end is not always reported.
  return Object.assign(comeToRest, { anew: () => underWay.clear() })
}

/** Streams stay open until the page closes. */
const isForAWhile = (request) => new URL(request.url()).pathname.endsWith('/stream')

/** Resolves when the page is idle, has its fonts and has painted. A background page may not paint. */
function nextTurn() {
  const idle = new Promise((resolve) => requestIdleCallback(resolve))
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const late = new Promise((resolve) => setTimeout(resolve, 300))
  return Promise.race([Promise.all([idle, document.fonts.ready]).then(drawn), late]).then(() => undefined)
}
