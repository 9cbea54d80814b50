import { type Actor, eventually, query, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('the inbox', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates Ada, that Grace mentions in a space by each text. */
  async function mentioned(...texts: readonly string[]) {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const path = await server.openSpace(ada)
    await mention(grace, path, ada, texts)
    return { ada, grace, path, spaceId: spaceIdOf(path) }
  }

  async function mention(from: Actor, path: string, to: Actor, texts: readonly string[]) {
    for (const text of texts) {
      await server
        .as(from)
        .post(`${path}/speech`, { text, metadata: { mentions: [to.actor_id] } })
        .expect(200)
    }
  }

  const inList = ({ page }: Person, text: string) =>
    page.getByRole('navigation', { name: 'Inbox items' }).getByRole('button', { name: text })
  const focused = ({ page }: Person, text: string) => page.locator('button:focus', { hasText: text }).waitFor()
  const isOnBody = ({ page }: Person) => page.evaluate(() => document.activeElement === document.body)
  const unreadOf = async (actor: Actor): Promise<number> =>
    (await server.as(actor).get('/api/actors/me/inbox').expect(200)).counts.unread

  it('is handled by keyboard alone, and each step can be undone', async () => {
    const { ada } = await mentioned('first', 'second', 'third')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await inList(person, 'first').waitFor()
    await page.keyboard.press('j')
    await focused(person, 'first')
    await page.keyboard.press('e')
    await focused(person, 'second')
    await inList(person, 'first').waitFor({ state: 'detached' })
    expect(await unreadOf(ada)).toBe(3)
    await page.keyboard.press('z')
    await focused(person, 'first')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await focused(person, 'third')
    await page.keyboard.press('k')
    await focused(person, 'second')
    // The previous entry is done, too, as the button says.
    await page.getByRole('button', { name: 'Done up to here (2)' }).waitFor()
    await page.keyboard.press('e')
    await focused(person, 'third')
    await page.keyboard.press('e')
    await page.getByText("You're all caught up").waitFor()
    expect(await isOnBody(person)).toBe(false)
    await eventually(async () => (await unreadOf(ada)) === 0)
    // The undo time is over, and the focus was restored.
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    expect(await isOnBody(person)).toBe(false)
  })

  it('counts entries that arrive while it loads', async () => {
    const { ada, grace, path, spaceId } = await mentioned('first')
    await server.as(ada).post(`${path}/join`).expect(200)
    const { page } = await browser.comeIn(ada, '/notifications')
    const navigation = page.getByRole('navigation')
    const waits = navigation.getByTitle('Waiting for you')
    await waits.getByText('1', { exact: true }).waitFor()
    // The response has the second entry, and is delayed until the third has arrived.
    const shown = new Signal()
    const answered = new Signal()
    const slowly = async (route: Route) => {
      const response = await route.fetch()
      answered.fire()
      await shown.fired
      await route.fulfill({ response })
    }
    await page.route(/inbox\.get/, slowly, { times: 1 })
    await mention(grace, path, ada, ['second'])
    await answered.fired
    await mention(grace, path, ada, ['third'])
    await navigation.getByRole('link', { name: spaceId }).getByText('3 new', { exact: true }).waitFor()
    shown.fire()
    await waits.getByText('3', { exact: true }).waitFor()
  })

  it('lists messages in conversations, which the title and the navigation count, too', async () => {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const talk = await server.openConversation(grace, ada)
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByText("You're all caught up").waitFor()
    await server.as(grace).post(`${talk}/speech`, { text: 'Between us' }).expect(200)
    await inList(person, 'Between us').waitFor()
    await page.getByRole('navigation').getByTitle('Waiting for you').getByText('1', { exact: true }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(1\) /)
    await page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: 'Conversations 1' }).click()
    await inList(person, 'wrote to you').waitFor()
    await inList(person, 'Between us').click()
    await page.keyboard.press('e')
    await eventually(async () => (await unreadOf(ada)) === 0)
    await expect.poll(() => page.title()).not.toMatch(/^\(/)
  })

  it('opens the selected entry in its space on Enter', async () => {
    const { ada, spaceId } = await mentioned('look here')
    const person = await browser.comeIn(ada, '/inbox')
    await inList(person, 'look here').waitFor()
    await person.page.keyboard.press('j')
    await person.page.keyboard.press('Enter')
    await person.sees('look here')
    expect(new URL(person.page.url()).pathname).toContain(`/s/${spaceId}/e/`)
  })

  it('previews the selected entry with its surroundings, and posts a reply there, which clears it', async () => {
    const { ada, grace, path } = await mentioned()
    await server.as(grace).post(`${path}/speech`, { text: 'what came before' }).expect(200)
    await mention(grace, path, ada, ['a question'])
    await server.as(grace).post(`${path}/speech`, { text: 'what came after' }).expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    const preview = person.page.getByRole('region', { name: 'Preview of the selected item' }).first()
    for (const text of ['what came before', 'a question', 'what came after']) await preview.getByText(text).waitFor()
    await person.page.keyboard.press('r')
    await person.page.locator('textarea:focus').waitFor()
    await person.page.keyboard.type('the answer')
    await person.page.keyboard.press('Enter')
    await person.page.getByText('Reply to Grace sent.').waitFor()
    const events = await server.as(ada).get(`${path}/events`).expect(200)
    const replies = events.filter(({ text }: { text: string }) => text === 'the answer')
    expect(replies).toHaveLength(1)
    expect(replies[0].parent_event_id).not.toBeNull()
    await inList(person, 'a question').waitFor({ state: 'detached' })
    expect(await isOnBody(person)).toBe(false)
  })

  it('snoozes an item until a time or an answer', async () => {
    const { ada, grace, path } = await mentioned('not now')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Until tomorrow' }).click()
    await page.getByText("You're all caught up").waitFor()
    await eventually(async () => (await unreadOf(ada)) === 0)
    expect(await server.as(ada).get('/api/actors/me/inbox').expect(200)).toMatchObject({
      next_snooze_at: expect.stringMatching(/T09:00:00.000Z$/),
    })
    await mention(grace, path, ada, ['and now?'])
    await inList(person, 'not now').waitFor()
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: 'For an hour' }).click()
    await inList(person, 'not now').waitFor({ state: 'detached' })
    await query(server.connection, 'UPDATE snoozes SET until = clock_timestamp() WHERE actor_id = $1', [ada.actor_id])
    await page.reload()
    await inList(person, 'not now').waitFor()
  })

  it('snoozes until a chosen time, lists what is snoozed, and brings it back', async () => {
    const { ada } = await mentioned('not now')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Until tomorrow' }).getByText('09:00').waitFor()
    await page.getByRole('menuitem', { name: 'Choose a time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze' })
    const field = dialog.getByLabel('Until')
    // The browser refuses the past.
    await field.fill('2020-01-01T07:30')
    await dialog.getByRole('button', { name: 'Snooze' }).click()
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.rangeUnderflow)).toBe(true)
    await field.fill('2038-01-01T07:30')
    await field.press('Enter')
    await page.getByText("You're all caught up").waitFor()
    await page.getByRole('status').getByText('1 Jan, 07:30').waitFor()
    await eventually(async () => (await unreadOf(ada)) === 0)
    expect(await server.as(ada).get('/api/actors/me/inbox').expect(200)).toMatchObject({
      next_snooze_at: '2038-01-01T07:30:00.000Z',
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Snoozed' }).click()
    await page.getByRole('listitem').getByText('Snoozed until 1 Jan, 07:30, or an answer.').waitFor()
    await page.getByRole('button', { name: 'Bring back' }).press('Enter')
    await page.getByText('Nothing snoozed').waitFor()
    expect(await isOnBody(person)).toBe(false)
    await page.getByRole('button', { name: 'All 1' }).click()
    await inList(person, 'not now').waitFor()
  })

  it('snoozes a decision and a notice', async () => {
    const { ada, grace } = await mentioned('not now')
    const space_id = `hidden-${grace.actor_id}`
    await server.as(grace).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await server.as(grace).post(`/api/spaces/${space_id}/participants`, { actor_id: ada.actor_id }).expect(200)
    await server
      .as(grace)
      .post(`/api/spaces/${space_id}/decisions`, { proposed_by: 'Grace', text: 'Sail on', assignees: [ada.actor_id] })
      .expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    for (const text of ['Sail on', 'You were added']) {
      await inList(person, text).click()
      await page.getByRole('button', { name: 'Snooze', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Until tomorrow' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Until an answer' }).count()).toBe(text === 'Sail on' ? 1 : 0)
      await page.getByRole('menuitem', { name: 'Until tomorrow' }).click()
      await inList(person, text).waitFor({ state: 'detached' })
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await inList(person, text).click()
      await page.getByRole('button', { name: 'Snooze', exact: true }).click()
      await page.getByRole('menuitem', { name: 'For an hour' }).click()
      await inList(person, text).waitFor({ state: 'detached' })
    }
    await inList(person, 'not now').waitFor()
    expect(await isOnBody(person)).toBe(false)
    await query(server.connection, 'UPDATE notices SET snoozed_until = now() WHERE actor_id = $1', [ada.actor_id])
    await page.reload()
    for (const text of ['Sail on', 'You were added']) await inList(person, text).waitFor()
  })

  it('lists a notice that is snoozed without a time, and moves the focus to the next entry to bring back', async () => {
    const { ada, grace } = await mentioned()
    const space_id = `hidden-${grace.actor_id}`
    await server.as(grace).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await server.as(grace).post(`/api/spaces/${space_id}/participants`, { actor_id: ada.actor_id }).expect(200)
    await mention(grace, `/api/spaces/${space_id}`, ada, ['not now'])
    const { items, notices } = await server.as(ada).get('/api/actors/me/inbox').expect(200)
    const [{ event_id }] = items.map(({ event }: { event: { event_id: string } }) => event)
    const [{ notice_id }] = notices
    await server
      .as(ada)
      .post('/api/actors/me/inbox/snooze', { items: [{ space_id, event_id }], notices: [notice_id] })
      .expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByRole('button', { name: 'Snoozed' }).click()
    const rows = page.getByRole('listitem').filter({ hasText: 'Snoozed until' })
    await rows.filter({ hasText: 'Snoozed until you bring it back.' }).getByText('You were added').waitFor()
    await rows.getByRole('button', { name: 'Bring back' }).first().press('Enter')
    await eventually(async () => (await rows.count()) === 1)
    await page.locator('button:focus', { hasText: 'Bring back' }).waitFor()
  })

  it('returns a snoozed entry on undo', async () => {
    const { ada } = await mentioned('not now')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Until tomorrow' }).click()
    await page.getByText("You're all caught up").waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await inList(person, 'not now').waitFor()
    expect(await unreadOf(ada)).toBe(1)
    expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  it('clears what was answered in its space', async () => {
    const { ada, path, spaceId } = await mentioned('look here')
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.comeIn(ada, `/s/${spaceId}`)
    await person.sees('look here')
    await person.history.getByRole('article').filter({ hasText: 'look here' }).hover()
    await person.history.getByRole('button', { name: 'Reply', exact: true }).last().click()
    await person.say('I see')
    await person.sees('I see')
    await person.page.getByRole('link', { name: 'Inbox' }).click()
    await person.page.getByText("You're all caught up").waitFor()
  })

  it('keeps the previewed entry under a reply when another comes first', async () => {
    const { ada, grace, path } = await mentioned('a question')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    const field = page.locator('[data-reply] textarea')
    await field.click()
    await page.keyboard.type('Hello')
    const proposal = { proposed_by: grace.actor_id, text: 'Go by train', assignees: [ada.actor_id] }
    await server.as(grace).post(`${path}/decisions`, proposal).expect(200)
    await inList(person, 'Go by train').waitFor()
    await page.keyboard.type(' there')
    expect(await field.inputValue()).toBe('Hello there')
    await page.keyboard.press('Escape')
    await focused(person, 'a question')
  })

  it('shows a snoozed entry at its time, with a clock that is ahead', async () => {
    const { ada, path } = await mentioned('not now')
    const [{ event_id }] = await server.as(ada).get(`${path}/events`).expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    await person.page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 5_000
    })
    await inList(person, 'not now').waitFor()
    const snoozed = {
      items: [{ space_id: spaceIdOf(path), event_id }],
      until: new Date(Date.now() + 3_000).toISOString(),
    }
    await server.as(ada).post('/api/actors/me/inbox/snooze', snoozed).expect(200)
    await inList(person, 'not now').waitFor({ state: 'detached' })
    await inList(person, 'not now').waitFor()
  })

  it('names the recipient of a reply, and keeps earlier items that it does not answer', async () => {
    const { ada, path, spaceId } = await mentioned('first', 'second')
    const person = await browser.comeIn(ada, '/inbox')
    await inList(person, 'second').click()
    const field = person.page.getByRole('textbox', { name: `Reply to Grace in ${spaceId}` })
    expect(await field.getAttribute('placeholder')).toBe('Reply to Grace')
    await field.fill('to the second')
    await field.press('Enter')
    await person.page.getByText('Reply to Grace sent. 1 earlier item in this space remains.').waitFor()
    await inList(person, 'second').waitFor({ state: 'detached' })
    await inList(person, 'first').waitFor()
    expect(await unreadOf(ada)).toBe(1)
    const events = await server.as(ada).get(`${path}/events`).expect(200)
    expect(events.at(-1)).toMatchObject({ text: 'to the second', parent_event_id: events[1].event_id })
  })

  it('marks each entry as done in the list where there is no preview', async () => {
    const { ada } = await mentioned('first', 'second', 'third')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    for (const width of [390, 820]) {
      await page.setViewportSize({ width, height: 844 })
      await inList(person, 'first').waitFor()
      const row = page.getByRole('listitem').filter({ hasText: 'second' })
      await row.getByRole('button', { name: 'Mark as done, with 1 earlier in this space' }).click()
      for (const text of ['first', 'second']) await inList(person, text).waitFor({ state: 'detached' })
      await focused(person, 'third')
      await page.getByRole('button', { name: 'Undo' }).click()
    }
    await page.setViewportSize({ width: 1280, height: 844 })
    await inList(person, 'first').waitFor()
    const marks = page.getByRole('listitem').getByRole('button', { name: /^Mark as done/ })
    await eventually(async () => (await marks.count()) === 0)
  })

  it('names the thread above its entries once, and previews surroundings in the thread', async () => {
    const { ada, grace, path, spaceId } = await mentioned('outside')
    const question = await server.as(ada).post(`${path}/speech`, { text: 'Where to?' }).expect(200)
    const { thread_id } = await server
      .as(ada)
      .post(`${path}/threads`, { parent_event_id: question.event_id, subject: 'The journey' })
      .expect(200)
    const reply = (text: string) => server.as(grace).post(`${path}/speech`, { text, thread_id }).expect(200)
    for (const text of ['by train', 'by boat']) await reply(text)
    const person = await browser.comeIn(ada, '/inbox')
    const list = person.page.getByRole('navigation', { name: 'Inbox items' })
    const name = list.getByRole('heading', { level: 3, name: 'The journey' })
    await name.waitFor()
    expect(await list.getByRole('heading').allTextContents()).toEqual([` ${spaceId}`, ' The journey'])
    const within = list.locator('section', { has: person.page.getByRole('heading', { level: 3 }) })
    expect(await within.getByRole('button').count()).toBe(2)
    await within.getByRole('button', { name: 'by boat' }).click()
    const preview = person.page.getByRole('region', { name: 'Preview of the selected item' }).first()
    for (const text of ['Where to?', 'by train', 'by boat']) await preview.getByText(text).waitFor()
    expect(await preview.getByText('outside').count()).toBe(0)
    await name.getByRole('link').click()
    await person.page.getByRole('complementary', { name: 'The journey' }).getByText('by train').waitFor()
  })

  it('does not refetch surroundings for each event, nor once they are complete', async () => {
    const { ada, grace, path, spaceId } = await mentioned('a question')
    await server.as(ada).post(`${path}/join`).expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    const preview = person.page.getByRole('region', { name: 'Preview of the selected item' }).first()
    await preview.getByText('a question').waitFor()
    let asked = 0
    person.page.on('request', (request) => {
      if (request.url().includes('event.list')) asked += 1
    })
    const say = async (first: number, count: number) => {
      for (let n = first; n < first + count; n++) {
        await server
          .as(grace)
          .post(`${path}/speech`, { text: `line ${n}.` })
          .expect(200)
      }
      // With the question.
      const unread = `${1 + first + count} new`
      await person.page.getByRole('link', { name: spaceId }).getByText(unread, { exact: true }).waitFor()
    }
    const startedAt = performance.now()
    await say(0, 20)
    await preview.getByText('line 19.').waitFor()
    // Immediately, and then every three seconds.
    expect(asked).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 3_000)
    const before = asked
    await say(20, 20)
    expect(asked).toBe(before)
  })

  it('has a tab with a count for each kind', async () => {
    const { ada, grace, path, spaceId } = await mentioned('hello')
    const said = await server.as(ada).post(`${path}/speech`, { text: 'mine' }).expect(200)
    const reply = { text: 'a reply', parent_event_id: said.event_id }
    await server.as(grace).post(`${path}/speech`, reply).expect(200)
    const proposal = { proposed_by: grace.actor_id, text: 'Go by train', assignees: [ada.actor_id] }
    await server.as(grace).post(`${path}/decisions`, proposal).expect(200)
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    await page.getByRole('button', { name: 'All 3' }).waitFor()
    for (const [tab, text] of [
      ['Replies 1', 'a reply'],
      ['Decisions 1', 'Go by train'],
      ['Mentions 1', 'hello'],
    ] as const) {
      await page.getByRole('button', { name: tab }).click()
      await inList(person, text).waitFor()
      expect(await page.locator('[id^="waits-"]').count()).toBe(1)
    }
    await page.getByRole('button', { name: 'Notices 0' }).click()
    await page.getByText('Nothing in this tab').waitFor()
    await page.getByRole('button', { name: 'All 3' }).click()
    await page.getByRole('link', { name: spaceId }).first().waitFor()
  })

  it('loses no done mark on navigation, unload or sign-out', async () => {
    const { ada, grace, path } = await mentioned('alpha', 'beta')
    const person = await browser.comeIn(ada, '/inbox')
    const { page } = person
    const mark = async (text: string) => {
      await inList(person, text).click()
      await page.keyboard.press('e')
      await inList(person, text).waitFor({ state: 'detached' })
    }
    await inList(person, 'beta').waitFor()
    await mark('alpha')
    await person.openSettings('Agents')
    await eventually(async () => (await unreadOf(ada)) === 1)
    await page.goBack()
    await mark('beta')
    await page.reload()
    await eventually(async () => (await unreadOf(ada)) === 0)
    await mention(grace, path, ada, ['gamma', 'delta'])
    await page.reload()
    await inList(person, 'gamma').waitFor()
    await mark('gamma')
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await eventually(async () => (await unreadOf(ada)) === 1)
    await person.signIn(ada)
    await person.open('/inbox')
    await mark('delta')
    await page.close()
    await eventually(async () => (await unreadOf(ada)) === 0)
  })

  it('has a section on the home page, where the focus moves to the next entry or the empty state', async () => {
    const { ada } = await mentioned(...Array.from({ length: 7 }, (_, n) => `number ${n}.`))
    const person = await browser.comeIn(ada, '/')
    const { page } = person
    await page.getByRole('link', { name: 'Open inbox' }).waitFor()
    await page.getByText('and 2 more').waitFor()
    const list = page.getByRole('list', { name: 'Waiting for you' })
    await list.getByRole('button', { name: 'Mark as done', exact: true }).click()
    await page.locator('a:focus', { hasText: 'number 1.' }).waitFor()
    await page.keyboard.press('z')
    await page.locator('a:focus', { hasText: 'number 0.' }).waitFor()
    await list.getByRole('button', { name: 'Mark as done, with 2 earlier in this space' }).click()
    await page.locator('a:focus', { hasText: 'number 3.' }).waitFor()
    await page.getByRole('button', { name: 'Mark all as done' }).click()
    await page.getByText("You're all caught up").waitFor()
    expect(await isOnBody(person)).toBe(false)
    await page.getByRole('link', { name: 'Inbox' }).click()
    await eventually(async () => (await unreadOf(ada)) === 0)
  })
})

class Signal {
  fire: () => void = () => {}
  readonly fired = new Promise<void>((resolve) => {
    this.fire = resolve
  })
}
