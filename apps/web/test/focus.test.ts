import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('the keyboard, when the button goes away that was pressed', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Ada, and a space of hers in which Bob has said more than a window shows. */
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

  /** Presses a button by the keyboard, and waits until it is gone. */
  async function press(button: Locator): Promise<void> {
    await button.focus()
    await button.press('Enter')
    await button.waitFor({ state: 'detached' })
  }

  /** Waits until the keyboard is at something, or at a part of it. */
  const isAt = ({ page }: Person, selector: string): Promise<unknown> =>
    eventually(() => page.evaluate((selector) => document.activeElement?.closest(selector) != null, selector))

  it('goes on in the history: after a jump, after joining, and where a message was given up', async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).put(`${path}/seen`, {}).expect(200)
    const [first] = await server.as(ada).get(`${path}/events?limit=1`).expect(200)
    const person = await comeIn(ada, `/s/${spaceId}/e/${first.event_id}`, 'Jump to newest')
    await press(person.page.getByRole('button', { name: 'Jump to newest' }))
    await isAt(person, '[role=log]')
    await press(person.page.getByRole('button', { name: 'Join' }))
    await isAt(person, 'main *')
    // Pressed again, since the line that says who has joined may come just then.
    await eventually(async () => {
      await person.page.keyboard.press('ArrowDown')
      return person.page.evaluate(() => document.activeElement?.closest('[role=log] article') != null)
    })
    await person.page.route('**/trpc/event.speech**', (route) =>
      route.fulfill({ status: 409, json: { error: { message: 'no', data: { httpStatus: 409 } } } }),
    )
    await person.say('never mind')
    // A message on its way may be discarded by another button of that name, while the server seems unreachable.
    await press(person.history.getByRole('alert').getByRole('button', { name: 'Discard' }))
    await isAt(person, '[role=log]')
  })

  it('goes on in the history after a jump to what is unread', async () => {
    const { ada, path, spaceId } = await begin()
    await server.as(ada).post(`${path}/join`).expect(200)
    const [newest] = await server.as(ada).get(`${path}/events?tail=true&limit=1`).expect(200)
    const person = await comeIn(ada, `/s/${spaceId}/e/${newest.event_id}`, 'Jump to first unread')
    await press(person.page.getByRole('button', { name: 'Jump to first unread' }))
    await isAt(person, '[role=log]')
  })

  /** Which message the keyboard is at. */
  const messageOf = ({ page }: Person) => page.locator('[role=log] article:focus')
  /** The line from which the arrows go on. */
  const chosen = ({ page }: Person) => page.locator('[role=log] article[tabindex="0"]')

  it('is in the page that has come, where arrows are for the history, and so on the way back', async () => {
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

  it('is where the palette has led, and begins anew at the newest after a message of one’s own', async () => {
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
    // No longer on its way: the history has it.
    await page.locator('[role=log] article[id^="event-"]').getByText('That one.').waitFor()
    await page.keyboard.press('Escape')
    await isAt(person, '[role=log]')
    await page.keyboard.press('ArrowUp')
    await messageOf(person).getByText('That one.').waitFor()
  })

  it('stays in the panel from which a link was removed, and in the list of what was revoked', async () => {
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
