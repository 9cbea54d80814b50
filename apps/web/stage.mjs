// A server of its own with a made-up history, and the browser of this machine before it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '@collab-spaces/testing/programs'
import { chromium } from 'playwright-core'

/** How long nothing changes in a page that shows everything. */
const QUIET_MS = 300

/** Does something with the built server and a browser, and ends both whatever comes of it. */
export async function onStage(play) {
  const directory = mkdtempSync(join(tmpdir(), 'pictures-'))
  const server = new Program({ DATA_DIR: join(directory, 'data'), REGISTRATION_LIMIT: '0' })
  try {
    const url = await server.url()
    const browser = await chromium.launch({ executablePath: executable() })
    try {
      await play({ url, browser })
    } finally {
      await browser.close()
    }
  } finally {
    await server.kill('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  }
}

function executable() {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
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

/** Waits until a page shows what there is to show: its stream stays open, so the network never comes to rest. */
async function settled(page) {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await still(page)
}

/** Waits until nothing has changed in a page for a moment. */
function still(page) {
  return page.evaluate(
    (quiet) =>
      new Promise((resolve) => {
        const finish = () => {
          observer.disconnect()
          resolve(document.fonts.ready.then(() => undefined))
        }
        let timer = setTimeout(finish, quiet)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(finish, quiet)
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    QUIET_MS,
  )
}

/** Takes each picture under its name, after going to its address and doing what is to be done there. */
export async function takeAll(page, url, pictures, fileOf) {
  for (const [name, path, act] of pictures) {
    const file = fileOf(name)
    if (file === null) continue
    await page.goto(url + path)
    await settled(page)
    await act?.(page)
    await still(page)
    await page.screenshot({ path: file, animations: 'disabled' })
  }
  await page.context().close()
}
