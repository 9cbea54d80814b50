import { spawnSync } from 'node:child_process'
import { PATIENCE_MS } from '@collab-spaces/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The local browser; undefined without one. The headless shell takes half the time. */
export const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** A document of each server without scripts. */
export const BLANK = '/favicon.svg'

/** Animations are not tested, and slow on a busy machine. */
const DEFAULTS = {
  locale: 'en-GB',
  timezoneId: 'UTC',
  viewport: { width: 1280, height: 720 },
  reducedMotion: 'reduce',
  colorScheme: null,
  forcedColors: null,
} as const

/**
 * The browser of this worker, which ends with it. A launch takes as long as a short test, and a page that has run takes
 * half the time for its next load: so files share a browser, and its emptied pages.
 */
let launched: Promise<Browser> | undefined
const emptied = new Map<string, Page[]>()

function browser(): Promise<Browser> {
  // The tabs of a context share a process.
  launched ??= chromium.launch({ executablePath: executable(), args: ['--renderer-process-limit=1'] })
  return launched
}

/** Opens an empty page with a context of its own. */
export async function openPage(options: BrowserContextOptions): Promise<Page> {
  const page = emptied.get(JSON.stringify(options))?.pop()
  if (page) return page
  const context = await (await browser()).newContext({ ...DEFAULTS, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

/** Closes a page with its context. */
export const closePage = (page: Page): Promise<void> => page.context().close()

/** Empties a page of a server for a later test. Closes one that cannot be emptied. */
export async function emptyPage(page: Page, options: BrowserContextOptions, url: string): Promise<void> {
  try {
    await removeData(page, options, url)
  } catch {
    return closePage(page)
  }
  const key = JSON.stringify(options)
  emptied.set(key, [...(emptied.get(key) ?? []), page])
}

async function removeData(page: Page, options: BrowserContextOptions, url: string): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  await page.unrouteAll()
  await page.goto(url + BLANK, { timeout: 10_000 })
  await page.evaluate(() => sessionStorage.clear())
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' })
  await session.detach()
  const { viewport, reducedMotion, colorScheme, forcedColors } = { ...DEFAULTS, ...options }
  if (viewport !== null) await page.setViewportSize(viewport)
  await page.emulateMedia({ media: null, reducedMotion, colorScheme, forcedColors })
  await page.mouse.move(-1, -1)
}

function executable(): string {
  const found = spawnSync('sh', ['-c', `command -v ${CHROMIUM}`], { encoding: 'utf8' }).stdout.trim()
  if (found === '') throw new Error('No Chromium')
  return found
}
