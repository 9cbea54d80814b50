import { eventually, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { check, checkAnyhow } from './support/axe.js'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { leave } from './support/move.js'
import { useViews, VIEWS_SETTINGS } from './support/views.js'

describeInBrowser('every page', () => {
  const server = useProgram(VIEWS_SETTINGS)
  const browser = useBrowser(server)
  const { ada, grace, webhook } = useViews(server)

  it('passes axe on desktop and phone, in light and dark, and prints whole texts and absolute times', async () => {
    const person = await browser.person()
    const { page } = person
    await person.open('/')
    await checkAnyhow(person, 'the door', () => page.getByLabel('API key or token').waitFor())
    await page.getByRole('button', { name: 'Create an account' }).click()
    await checkAnyhow(person, 'a new account', () => page.getByLabel('Your name').waitFor())
    await page.getByRole('button', { name: 'Sign in' }).first().click()
    await signInAnywhere(person)
    for (const [name, path, ready] of ada.pages) {
      // Without a load, a history is where it was left, maybe with a link below the button to its newest event.
      await (path().startsWith('/s/plans') ? person.open(path()) : person.go(path()))
      await checkAnyhow(person, name, () => ready(person))
      await page.setViewportSize({ width: 1280, height: 720 })
      await ready(person)
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate(unprintable), name).toEqual([])
      await page.emulateMedia({ media: null })
    }
  })

  it('passes axe with menus and dialogs open', async () => {
    const person = await browser.comeIn(ada.actor(), '/')
    const { page } = person
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    // A menu floats above all landmarks.
    await check(person, 'the menu of the account', { region: { enabled: false } })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New space' }).click()
    const dialog = page.getByRole('dialog', { name: 'New space' })
    await dialog.waitFor()
    await check(person, 'a new space')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /plans/ }).first().waitFor()
    await check(person, 'the palette')
    await page.keyboard.press('Escape')
    for (const [path, button, title] of [
      ['/s/plans/decisions', 'Propose', 'Propose a decision'],
      ['/s/plans/decisions', 'Change', 'Policy of this space'],
      ['/credentials', 'New token', 'New token'],
      ['/notifications', 'Change', 'What and when'],
      ['/agents', 'New agent', 'New agent'],
      ['/agents', 'New webhook', 'New webhook'],
      [webhook(), 'Edit…', 'Edit webhook'],
      ['/s/plans?panel=links', 'Add a link', 'Add a link'],
    ] as const) {
      await person.go(path)
      await page.getByRole('button', { name: button }).first().click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.waitFor()
      await check(person, title)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await person.go('/s/plans')
    const menu = page.getByRole('button', { name: 'Space actions' })
    await menu.click()
    await page.getByRole('menuitemradio', { name: 'None (muted)' }).waitFor()
    await check(person, 'the menu of a space', { region: { enabled: false } })
    await page.getByRole('menuitem', { name: 'Title, description, owners…' }).click()
    await page.getByRole('dialog', { name: 'Title, description and owners' }).waitFor()
    await check(person, 'a space that is changed')
    await page.keyboard.press('Escape')
    await person.go('/s/plans')
    await person.history.getByRole('button', { name: 'Ada', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'About Ada' }).getByText('Human').waitFor()
    await check(person, 'a card', { region: { enabled: false } })
    await page.keyboard.press('Escape')
    await person.go('/')
    await page.getByText('Where to go').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await check(person, 'the list of keys')
  })

  it('passes axe for tenant admins', async () => {
    const person = await browser.comeIn(grace.actor(), '/')
    for (const [name, path, ready] of grace.pages) {
      await person.go(path())
      await checkAnyhow(person, name, () => ready(person))
    }
  })

  it('passes axe in results and states after actions', async () => {
    const person = await browser.comeIn(ada.actor(), '/s/plans?panel=search')
    const { page } = person
    const panel = page.getByRole('complementary')
    await page.getByRole('searchbox', { name: 'Words' }).fill('sea')
    await checkAnyhow(person, 'what was found', () => panel.getByRole('link', { name: /sea/ }).waitFor())
    await person.go('/s/plans?panel=summary')
    await page.getByRole('button', { name: 'Summarize' }).click()
    await checkAnyhow(person, 'a written summary', () => page.getByRole('link', { name: 'Source 1' }).first().waitFor())
    for (const [path, heading] of [
      ['/device', 'Authorize the CLI on another machine'],
      ['/command', 'Authorize the CLI'],
    ] as const) {
      await person.go(path)
      await checkAnyhow(person, path, () => page.getByRole('heading', { name: heading, exact: true }).waitFor())
    }
  })

  it.each([
    ['/agents', /^Stop Scout$/, ada],
    ['/s/plans', 'Resolve', ada],
    ['/s/plans', 'Reject', ada],
    ['/s/plans', 'Withdraw approval', ada],
    ['/s/team', 'Approve', grace],
    ['/tenant', 'Invite member', grace],
  ] as const)('asks before something is done at %s by %s', async (path, name, { actor }) => {
    const person = await browser.comeIn(actor(), path)
    const button = person.page.getByRole('button', { name }).first()
    const dialog = person.page.getByRole('dialog')
    // A line that re-renders meanwhile loses the click.
    await eventually(async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined)
      return dialog.isVisible()
    })
    await checkAnyhow(person, `${path}: ${name}`, () => dialog.waitFor())
  })

  it('passes axe on the page of a moved tenant, with unsent texts', async () => {
    const person = await browser.comeIn(ada.actor(), '/s/plans')
    const { page, context } = person
    await page.getByRole('textbox', { name: /^Message to/ }).fill('To the sea')
    await leave(context, ada.actor())
    await page.reload()
    const heading = page.getByRole('heading', { name: 'Your organization has moved' })
    await checkAnyhow(person, 'a tenant that has moved', () => heading.waitFor())
    await page.getByLabel('Not sent to plans').waitFor()
  })

  it('shows the current place and the selection in high contrast', async () => {
    const person = await browser.comeIn(ada.actor(), '/inbox', { forcedColors: 'active' })
    const { page } = person
    await page.locator('[id^="waits-"]').first().waitFor()
    const colours = (element: Element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return `${color} on ${backgroundColor}`
    }
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const differ = async (one: Locator, other: Locator) =>
      expect(await one.evaluate(colours)).not.toBe(await other.evaluate(colours))
    await differ(navigation.getByRole('link', { name: 'Inbox' }), navigation.getByRole('link', { name: 'Home' }))
    const tabs = page.getByRole('group', { name: 'Kinds' }).getByRole('button')
    await differ(tabs.nth(0), tabs.nth(1))
    await page.keyboard.press('Control+k')
    const options = page.getByRole('option')
    await differ(options.nth(0), options.nth(1))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.keyboard.press('ArrowDown')
    const items = page.getByRole('menuitem')
    await differ(page.locator('[role=menuitem][data-highlighted]'), items.last())
    await page.keyboard.press('Escape')
    await person.go('/s/plans')
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.focus()
    const frame = page.locator('div:has(> * > textarea)').last()
    expect(await frame.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
    // Names are text, and badges have an outline.
    const name = person.history.getByRole('button', { name: 'Scout', exact: true }).first()
    await expect.poll(() => name.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('none')
    const badge = person.history.getByText('Agent', { exact: true }).first()
    await expect.poll(() => badge.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  })

  it('keeps the initial load small', async () => {
    const person = await browser.person()
    const { page, context } = person
    await context.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('h1')?.textContent?.startsWith('Hello, ')) return
        observer.disconnect()
        performance.mark('shown')
      }).observe(document, { childList: true, subtree: true })
    })
    await person.open('/')
    await person.signIn(ada.actor())
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    const bytes = await page.evaluate(() => {
      const shown = performance.getEntriesByName('shown')[0]?.startTime ?? 0
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      // Preloaded scripts do not belong to the initial load.
      const scripts = all.filter(({ name, startTime }) => name.endsWith('.js') && startTime <= shown)
      return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    })
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(230 * 1024)
  })

  it('loads a space with its first request', async () => {
    const { page } = await browser.comeIn(ada.actor(), '/')
    // The previous page may still have requests in flight.
    let isThere = false
    page.once('framenavigated', () => {
      isThere = true
    })
    const asked = page.waitForRequest((request) => isThere && request.url().includes('/trpc/'))
    await page.goto(`${server.url}/s/long`)
    const path = new URL((await asked).url()).pathname
    expect(path.split(/[/,]/)).toEqual(expect.arrayContaining(['space.status', 'event.list', 'space.acts']))
  })

  async function signInAnywhere(person: Person): Promise<void> {
    await person.page.getByLabel('API key or token').fill(ada.actor().api_key)
    await person.page.getByRole('button', { name: 'Sign in' }).last().click()
    await person.page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  }
})

/** Returns what paper should not show, or not so. */
function unprintable(): string[] {
  const onScreen = 'input:not([type=checkbox]), select, textarea, [role=toolbar], [href="#content"], [data-printed] > *'
  const isCut = (one: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(one)
    return overflowX === 'hidden' && textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth
  }
  const isWrong = (one: Element) => one.matches(onScreen) || isCut(one)
  const all = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && isWrong(one))
  return all.map((one) => `${one.tagName} ${one.className}: ${one.textContent?.slice(0, 60)}`)
}
