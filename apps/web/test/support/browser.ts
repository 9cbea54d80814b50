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
  constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly url: string,
  ) {}

  /** Opens a path of the page. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.url + path)
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

/** A browser for the tests of a file. An error in a page, such as a blocked script, fails the test. */
export function useBrowser(server: { readonly url: string }) {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable() })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(() => browser?.close())

  return { person, comeIn }

  /** Opens a new context without shared data. */
  async function person(options: BrowserContextOptions = {}): Promise<Person> {
    // Animations are not tested, and slow on a busy machine.
    const still = { reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...still, ...options })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
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
    return new Person(page, context, server.url)
  }

  /** Opens a path signed in, with a stored account: the sign-in form would take most of the time of a short test. */
  async function comeIn({ actor_id, display_name, api_key }: Actor, path: string): Promise<Person> {
    const one = await person()
    const account = { actorId: actor_id, name: display_name, kind: 'human', token: api_key, isRemembered: false }
    await one.page.addInitScript(
      ([list, origin]) => {
        const isFirst = location.origin === origin && sessionStorage.getItem('spaces.accounts') === null
        if (isFirst) sessionStorage.setItem('spaces.accounts', list)
      },
      [JSON.stringify([account]), server.url] as const,
    )
    await one.open(path)
    await one.page.getByRole('button', { name: `Account: ${display_name}` }).waitFor()
    return one
  }
}

function executable(): string {
  const found = spawnSync('sh', ['-c', `command -v ${CHROMIUM}`], { encoding: 'utf8' }).stdout.trim()
  if (found === '') throw new Error('No Chromium')
  return found
}
