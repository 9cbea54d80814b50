import { type Actor, eventually } from '@collab-spaces/testing'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, describe, expect } from 'vitest'
import { BLANK, CHROMIUM, closePage, emptyPage, openPage } from './pages.js'

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

/** Pages for the tests of a file. An error in a page, such as a blocked script, fails the test. */
export function useBrowser(server: { readonly url: string }) {
  const open: { readonly person: Person; readonly options: BrowserContextOptions }[] = []
  const complaints: string[] = []
  afterEach(async () => {
    await Promise.all(
      open
        .splice(0)
        .map(({ person: { page, isAltered }, options }) =>
          isAltered ? closePage(page) : emptyPage(page, options, server.url),
        ),
    )
    expect(complaints.splice(0)).toEqual([])
  })

  return { person, comeIn }

  /** Opens a page with a context of its own, without data. */
  async function person(options: BrowserContextOptions = {}): Promise<Person> {
    const page = await openPage(options)
    listen(page)
    const person = new Person(page, server.url)
    open.push({ person, options })
    return person
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
    // The page of a signed-in account has it, in a window of any width.
    await one.page.locator('main#content').waitFor()
    return one
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
}
