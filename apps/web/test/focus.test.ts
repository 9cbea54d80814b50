import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('the focus, when the pressed button disappears', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates Ada and a space in which Bob has posted more than a screenful. */
  async function begin() {
    const [ada, bob] = [await server.registerHuman('Ada'), await server.registerHuman('Bob')]
    const path = await server.openSpace(ada)
    for (let n = 0; n < 150; n++)
      await server
        .as(bob)
        .post(`${path}/speech`, { text: `line ${n}.` })
        .expect(200)
    return { ada, path, spaceId: spaceIdOf(path) }
  }

  async function comeIn(actor: Actor, path: string, button: string): Promise<Person> {
    const person = await browser.comeIn(actor, path)
    await person.page.getByRole('button', { name: button }).first().waitFor()
    return person
  }

  /** Presses a button by keyboard, and waits until it disappears. */
  async function press(button: Locator): Promise<void> {
    await button.focus()
    await button.press('Enter')
    await button.waitFor({ state: 'detached' })
  }

  /** Waits until an element contains the focus. */
  const isAt = ({ page }: Person, selector: string): Promise<unknown> =>
    eventually(() => page.evaluate((selector) => document.activeElement?.closest(selector) != null, selector))

  it('moves to the history: after a jump, after joining, and after discarding a message', async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const [first] = await server.as(ada).get(`${path}/events?limit=1`).expect(200)
    const person = await comeIn(ada, `/s/${spaceId}/e/${first.event_id}`, 'Jump to newest')
    await press(person.page.getByRole('button', { name: 'Jump to newest' }))
    await isAt(person, '[role=log]')
    await press(person.page.getByRole('button', { name: 'Join' }))
    await isAt(person, 'main *')
    // Pressed again, since the line about the join may arrive in between.
    await eventually(async () => {
      await person.page.keyboard.press('ArrowDown')
      return person.page.evaluate(() => document.activeElement?.closest('[role=log] article') != null)
    })
    await person.page.route('**/trpc/event.speech**', (route) =>
      route.fulfill({ status: 409, json: { error: { message: 'no', data: { httpStatus: 409 } } } }),
    )
    await person.say('never mind')
    // A pending message has a button of the same name while the server seems unreachable.
    await press(person.history.getByRole('alert').getByRole('button', { name: 'Discard' }))
    await isAt(person, '[role=log]')
  })

  it('moves to the history after a jump to the first unread event', async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).post(`${path}/join`).expect(200)
    const [newest] = await server.as(ada).get(`${path}/events?tail=true&limit=1`).expect(200)
    const person = await comeIn(ada, `/s/${spaceId}/e/${newest.event_id}`, 'Jump to first unread')
    await press(person.page.getByRole('button', { name: 'Jump to first unread' }))
    await isAt(person, '[role=log]')
  })

  /** Returns the focused message. */
  const messageOf = ({ page }: Person) => page.locator('[role=log] article:focus')
  /** Returns the selected line. */
  const chosen = ({ page }: Person) => page.locator('[role=log] article[tabindex="0"]')

  it('is in the new page after navigation, where arrows select lines, also after going back', async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).post(`${path}/join`).expect(200)
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const person = await browser.comeIn(ada, '/')
    const { page } = person
    await press(page.getByRole('main').getByRole('link', { name: spaceId }))
    await person.sees('line 149.')
    await page.locator('#content:focus').waitFor()
    await page.keyboard.press('ArrowUp')
    await messageOf(person).getByText('line 149.').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await page.locator('#content:focus').waitFor()
  })

  it('is in the first field of the profile, which follows the picture, and returns to the menu', async () => {
    const { ada } = await begin()
    const { page } = await browser.comeIn(ada, '/')
    const focused = page.locator(':focus')
    const account = page.getByRole('button', { name: 'Account: Ada' })
    await account.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit your profile…' }).press('Enter')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Your name' }).and(focused).waitFor()
    await page.keyboard.press('Escape')
    await account.and(focused).waitFor()
  })

  it("is in the palette's target, and starts at the newest line after an own message", async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.comeIn(ada, `/s/${spaceId}`)
    const { page } = person
    await person.history.getByText('line 0.', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('"line 77"')
    await page.getByRole('option', { name: /line 77/ }).waitFor()
    await page.keyboard.press('Enter')
    await chosen(person).getByText('line 77.').waitFor()
    await page.locator('#content:focus').waitFor()
    await page.keyboard.press('ArrowUp')
    await chosen(person).getByText('line 76.').waitFor()
    await person.say('That one.')
    await chosen(person).waitFor({ state: 'detached' })
    // The message has arrived in the history.
    await page.locator('[role=log] article[id^="event-"]').getByText('That one.').waitFor()
    await page.keyboard.press('Escape')
    await isAt(person, '[role=log]')
    await page.keyboard.press('ArrowUp')
    await messageOf(person).getByText('That one.').waitFor()
  })

  it('stays in the panel of a removed link, and in the list of a revoked token', async () => {
    const { ada, path, spaceId } = await begin()
    const api = server.as(ada)
    for (const target of ['https://example.org/a', 'https://example.org/b']) {
      await api.post(`${path}/links`, { target_uri: target, link_type: 'references' }).expect(200)
    }
    const links = await comeIn(ada, `/s/${spaceId}?panel=links`, 'Remove the link to https://example.org/a')
    for (const target of ['a', 'b']) {
      await press(links.page.getByRole('button', { name: `Remove the link to https://example.org/${target}` }))
      await isAt(links, 'aside')
    }

    for (const display_name of ['One', 'Two']) await api.post('/api/agent-codes', { display_name }).expect(200)
    const agents = await comeIn(ada, '/agents', 'Revoke the code of One')
    await press(agents.page.getByRole('button', { name: 'Revoke the code of One' }))
    await isAt(agents, 'ul')
    await press(agents.page.getByRole('button', { name: 'Revoke the code of Two' }))
    await isAt(agents, 'main *')

    await api.post('/api/tenants', { name: 'Analysts' }).expect(200)
    await api.post('/api/invites', {}).expect(200)
    const tenant = await comeIn(ada, '/tenant', 'Revoke')
    await press(tenant.page.getByRole('button', { name: 'Revoke' }))
    await isAt(tenant, 'li')
    expect(await tenant.page.locator(':focus').textContent()).toContain('Revoked')
  })
})
