import { isDeepStrictEqual } from 'node:util'
import { type Actor, eventually, useProgram } from '@collab-spaces/testing'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a space in the navigation', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
    grace = await server.registerHuman('Grace')
    await server.as(grace).post('/api/invites/redeem', { code }).expect(200)
  })

  async function spaceOfBoth(space_id: string, title?: string): Promise<string> {
    await server.as(ada).post('/api/spaces', { space_id, title }).expect(200)
    for (const actor of [ada, grace]) await server.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
    return `/api/spaces/${space_id}`
  }

  /** Shows immediately, and is stored a moment later. */
  const isKept = (actor: Actor, path: string, preferences: object) =>
    eventually(async () => {
      const found = (await server.as(actor).get(`${path}/status`).expect(200)).preferences
      return isDeepStrictEqual(found, preferences)
    })

  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const places = (page: Page) => navigation(page).getByRole('list', { name: 'Your spaces' }).getByRole('listitem')
  /** Waits until the list has these lines. Counts are followed by their meaning, for screen readers. */
  const reads = (page: Page, ...lines: (string | RegExp)[]) =>
    eventually(async () => {
      const found = (await places(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
      return lines.length === found.length && lines.every((line, at) => found[at]?.match(line)?.[0] === found[at])
    })

  it('has a title, which is shown everywhere, and can be changed', async () => {
    const { page } = await browser.comeIn(ada, '/')
    await navigation(page).getByText('Analysts').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New space' }).first().click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Spring Release 🌷')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('spring-release')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.waitForURL(/\/s\/spring-release$/)
    await page.getByRole('heading', { name: 'Spring Release 🌷' }).waitFor()
    await page.getByRole('textbox', { name: 'Message to Spring Release 🌷' }).waitFor()
    await navigation(page).getByRole('link', { name: 'Spring Release 🌷' }).waitFor()
    await eventually(async () => (await page.title()) === 'Spring Release 🌷 · Collaboration Spaces')

    for (const words of ['release 🌷', 'spring-rel']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill(words)
      await page
        .getByRole('group', { name: 'Spaces' })
        .getByRole('option', { name: /Spring Release/ })
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }

    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Title, description, owners…' }).click()
    await page.getByText('Its address stays spring-release.').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Autumn')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()
    await navigation(page).getByRole('link', { name: 'Autumn' }).waitFor()

    await server.as(grace).post('/api/spaces/spring-release/join').expect(200)
    const mention = { text: 'Ready?', metadata: { mentions: [ada.actor_id] } }
    await server.as(grace).post('/api/spaces/spring-release/speech', mention).expect(200)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('main').getByText('in Autumn').waitFor()
    await page.getByRole('main').getByRole('list', { name: 'Spaces', exact: true }).getByText('Autumn').waitFor()
    await page.getByRole('link', { name: /^Inbox/ }).click()
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()
    await page.goto(new URL('/s/spring-release/decisions', page.url()).href)
    await page.getByRole('link', { name: 'Back to Autumn' }).waitFor()
  })

  it('has a title and a name, which the palette truncates only if they do not fit', async () => {
    const title = 'The quarterly planning of everything that is left to do'
    await spaceOfBoth('quarter', title)
    const { page } = await browser.comeIn(ada, '/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('quarterly')
    const option = page.getByRole('group', { name: 'Spaces' }).getByRole('option')
    await option.getByText('quarter', { exact: true }).waitFor()
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth
    for (const text of [title, 'quarter']) {
      expect(await option.getByText(text, { exact: true }).evaluate(isCut)).toBe(false)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await option.getByText(title, { exact: true }).evaluate(isCut)).toBe(true)
    expect(await option.getByText('quarter', { exact: true }).evaluate(isCut)).toBe(false)
  })

  it('is pinned on every device until it is unpinned', async () => {
    const linus = await server.registerHuman('Linus')
    for (const space_id of ['first', 'second']) {
      await server.as(linus).post('/api/spaces', { space_id }).expect(200)
      await server.as(linus).post(`/api/spaces/${space_id}/join`).expect(200)
    }
    const { page } = await browser.comeIn(linus, '/s/first')
    await reads(page, 'second', 'first')
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
    await reads(page, 'Pinned', 'first', 'Other', 'second')
    await isKept(linus, '/api/spaces/first', { pinned: true, notices: 'mentions' })
    await page.reload()
    await reads(page, 'Pinned', 'first', 'Other', 'second')
    const other = await browser.comeIn(linus, '/')
    await reads(other.page, 'Pinned', 'first', 'Other', 'second')
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Unpin' }).click()
    await reads(page, 'second', 'first')
  })

  it('is in the unread section until it is read, and keeps the focus', async () => {
    const bob = await server.registerHuman('Bob')
    const eve = await server.registerHuman('Eve')
    for (const space_id of ['still', 'busy']) {
      await server.as(bob).post('/api/spaces', { space_id }).expect(200)
      for (const actor of [bob, eve]) await server.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
    }
    await server.as(eve).post('/api/spaces/busy/speech', { text: 'Something new' }).expect(200)
    const visit = await browser.comeIn(bob, '/')
    const { page } = visit
    await reads(page, 'Unread', 'busy 1 1 new since your last visit', 'Other', 'still')
    const link = navigation(page).getByRole('link', { name: /^busy/ })
    // The keyboard's focus would hold the order: after a click, this one is not the keyboard's.
    await page.getByRole('heading', { level: 1 }).click()
    await link.focus()
    await page.keyboard.press('Enter')
    await visit.sees('Something new')
    await reads(page, 'busy', 'still')
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('keeps its position while a pointer is over the list', async () => {
    const mia = await server.registerHuman('Mia')
    const eve = await server.registerHuman('Eva')
    for (const space_id of ['lower', 'upper']) {
      await server.as(mia).post('/api/spaces', { space_id }).expect(200)
      for (const actor of [mia, eve]) await server.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
    }
    const { page } = await browser.comeIn(mia, '/')
    await reads(page, 'upper', 'lower')
    await navigation(page).getByRole('link', { name: 'upper' }).hover()
    await server.as(eve).post('/api/spaces/lower/speech', { text: 'Something new' }).expect(200)
    await reads(page, 'upper', 'lower 1 1 new since your last visit')
    await page.getByRole('heading', { level: 1 }).hover()
    await reads(page, 'Unread', 'lower 1 1 new since your last visit', 'Other', 'upper')
  })

  it('is not unread once it is archived', async () => {
    const tom = await server.registerHuman('Tom')
    const zed = await server.registerHuman('Zed')
    await server.as(zed).post('/api/spaces', { space_id: 'closed' }).expect(200)
    for (const actor of [zed, tom]) await server.as(actor).post('/api/spaces/closed/join').expect(200)
    await server.as(zed).post('/api/spaces/closed/speech', { text: 'The end' }).expect(200)
    await server.as(zed).post('/api/spaces/closed/archive').expect(200)
    const { page } = await browser.comeIn(tom, '/')
    await reads(page, 'closed')
    await page.getByRole('main').getByRole('link', { name: 'closed' }).waitFor()
    expect(await page.getByText('1 new').count()).toBe(0)
  })

  it('is in the collapsed last section when muted, without an unread count', async () => {
    const api = await spaceOfBoth('noisy', 'Noise')
    await spaceOfBoth('calm')
    const { page } = await browser.comeIn(grace, '/s/noisy')
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitemradio', { name: 'None (muted)' }).click()
    const muted = navigation(page).getByRole('button', { name: 'Muted (1)' })
    await muted.waitFor()
    await isKept(grace, api, { pinned: false, notices: 'none' })
    // The open space stays visible.
    await navigation(page).getByRole('link', { name: 'Noise' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await navigation(page).getByRole('link', { name: 'Noise' }).waitFor({ state: 'detached' })

    await server.as(ada).post(`${api}/speech`, { text: 'Loud' }).expect(200)
    await page.reload()
    await muted.click()
    const link = navigation(page).getByRole('link', { name: 'Noise' })
    expect(await link.textContent()).toBe('Noise')
    expect(await page.getByRole('main').getByText('1 new').count()).toBe(0)
    await link.click()
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitemradio', { name: 'Mentions, conversations and decisions' }).click()
    await muted.waitFor({ state: 'detached' })
  })

  it('is named after the other members if it is a conversation', async () => {
    const { space_id } = await server
      .as(ada)
      .post('/api/conversations', { actor_ids: [grace.actor_id] })
      .expect(200)
    const { page } = await browser.comeIn(ada, `/s/${space_id}`)
    await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor()
    await navigation(page).getByRole('link', { name: 'Grace' }).waitFor()
    await page.getByRole('textbox', { name: 'Message to Grace' }).waitFor()
    // Other inbox entries may be counted in the title.
    await eventually(async () => (await page.title()).endsWith('Grace · Collaboration Spaces'))
    expect(await page.getByText(space_id).count()).toBe(0)
  })
})
