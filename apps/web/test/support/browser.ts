import { spawnSync } from 'node:child_process'
import { type Actor, eventually, PATIENCE_MS } from '@collab-spaces/testing'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'

/** The local browser; undefined without one. The headless shell takes half the time. */
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** Like `describe`, but skipped without a browser. */
export const describeInBrowser = (name: string, tests: () => void): void => {
  const why = CHROMIUM === undefined ? ' (left out: Chromium not installed)' : ''
  describe.skipIf(CHROMIUM === undefined)(name + why, tests)
}

/** An account in a separate browser context. */
export class Person {
  #isAltered = false

  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  /** Its context: for what cannot be undone. No later test gets it then. */
  get context(): BrowserContext {
    this.#isAltered = true
    return this.page.context()
  }

  /** Whether a later test cannot get its page. */
  get isAltered(): boolean {
    return this.#isAltered || this.page.isClosed() || !this.page.url().startsWith(this.url)
  }

  /** Opens a path of the page. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.url + path)
  }

  /** Goes to a path as by a link, which takes a tenth of the time of a load. The server redirects some, which need one. */
  async go(path: string): Promise<void> {
    if (path.startsWith('/oauth/')) return this.open(path)
    await this.page.evaluate((path) => history.pushState(null, '', path), path)
    await this.rendered()
  }

  /** Resolves after the next frame: components notice a new width with it, and render before the one after. */
  rendered(): Promise<void> {
    return this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    )
  }

  /** Signs in with a key. */
  async signIn({ api_key, display_name }: Actor, isRemembered = false): Promise<void> {
    await this.page.getByLabel('API key or token').fill(api_key)
    if (isRemembered) await this.page.getByLabel('Remember me on this device').check()
    await this.page.getByRole('button', { name: 'Sign in' }).last().click()
    await this.page.getByRole('button', { name: `Account: ${display_name}` }).waitFor()
  }

  /** The history of the open space. */
  get history() {
    return this.page.getByRole('log')
  }

  /** Opens a page of the settings by the navigation. */
  async openSettings(name: string): Promise<void> {
    const navigation = this.page.getByRole('navigation', { name: 'Main' })
    const settings = navigation.getByRole('button', { name: 'Settings' })
    if ((await settings.getAttribute('aria-expanded')) === 'false') await settings.click()
    await navigation.getByRole('link', { name }).click()
  }

  async say(text: string): Promise<void> {
    const field = this.page.getByRole('textbox', { name: /^Message to/ })
    await field.fill(text)
    await field.press('Enter')
  }

  /**
   * Performs an action of an event's toolbar, which shows on hover. A row that moves loses it. A click in progress is
   * never aborted: what it opened would cover the event.
   */
  async act(text: string, action: string): Promise<void> {
    const event = this.history.getByRole('article').filter({ hasText: text }).last()
    const button = event.getByRole('button', { name: action })
    await eventually(async () => {
      await event.hover()
      await button.click({ timeout: 1_000, trial: true })
      await button.click()
      return true
    })
  }

  /** Waits until the history shows a text. */
  async sees(text: string): Promise<void> {
    await this.history.getByText(text).last().waitFor()
  }

  /** Returns how often the visible history contains a text. */
  times(text: string): Promise<number> {
    return this.history.getByText(text, { exact: true }).count()
  }
}

/** A document of the server's origin without scripts. */
const BLANK = '/favicon.svg'

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
 * A browser for the tests of a file. An error in a page, such as a blocked script, fails the test.
 *
 * Later tests get the pages of earlier ones, without their data: the next load of a page takes half the processor time
 * of its first one.
 */
export function useBrowser(server: { readonly url: string }) {
  let browser: Browser
  const open: { readonly person: Person; readonly options: string }[] = []
  const free: typeof open = []
  const complaints: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: ['--renderer-process-limit=1'] })
  })
  afterEach(async () => {
    const found = complaints.splice(0)
    await Promise.all(open.splice(0).map(release))
    expect(found).toEqual([])
  })
  afterAll(() => browser?.close())

  return { person, comeIn }

  /** Opens a context without shared data. */
  async function person(options: BrowserContextOptions = {}): Promise<Person> {
    const key = JSON.stringify(options)
    const at = free.findIndex((one) => one.options === key)
    const [one = { person: await newPerson(options), options: key }] = at < 0 ? [] : free.splice(at, 1)
    open.push(one)
    listen(one.person.page)
    return one.person
  }

  /** Opens a path signed in, with a stored account: the sign-in form would take most of the time of a short test. */
  async function comeIn(
    { actor_id, display_name, api_key }: Actor,
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<Person> {
    const one = await person(options)
    const account = { actorId: actor_id, name: display_name, kind: 'human', token: api_key, isRemembered: false }
    await one.open(BLANK)
    await one.page.evaluate((list) => sessionStorage.setItem('spaces.accounts', list), JSON.stringify([account]))
    await one.open(path)
    // Only a signed-in account has it, in a window of any width.
    await one.page.getByRole('navigation').first().waitFor()
    return one
  }

  async function newPerson(options: BrowserContextOptions): Promise<Person> {
    const context = await browser.newContext({ ...DEFAULTS, ...options })
    context.setDefaultTimeout(PATIENCE_MS)
    return new Person(await context.newPage(), server.url)
  }

  function listen(page: Page): void {
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => {
      // The page handles refusals of the server. Any other error fails the test.
      const isRefusal = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
    })
  }

  /** Empties a page for a later test, or closes its context if a test altered it. */
  async function release(one: (typeof open)[number]): Promise<void> {
    const { page, isAltered } = one.person
    const isEmptied =
      !isAltered &&
      (await empty(page, JSON.parse(one.options)).then(
        () => true,
        () => false,
      ))
    if (isEmptied) free.push(one)
    else await page.context().close()
  }

  async function empty(page: Page, options: BrowserContextOptions): Promise<void> {
    const context = page.context()
    for (const other of context.pages()) if (other !== page) await other.close()
    page.removeAllListeners()
    await page.unrouteAll()
    await page.goto(server.url + BLANK, { timeout: 10_000 })
    await page.evaluate(() => sessionStorage.clear())
    await context.clearCookies()
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'all' })
    await session.send('Network.clearBrowserCache')
    await session.detach()
    const { viewport, reducedMotion, colorScheme, forcedColors } = { ...DEFAULTS, ...options }
    if (viewport !== null) await page.setViewportSize(viewport)
    await page.emulateMedia({ media: null, reducedMotion, colorScheme, forcedColors })
    await page.mouse.move(-1, -1)
  }
}

function executable(): string {
  const found = spawnSync('sh', ['-c', `command -v ${CHROMIUM}`], { encoding: 'utf8' }).stdout.trim()
  if (found === '') throw new Error('No Chromium')
  return found
}
