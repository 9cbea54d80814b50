import { spaceIdOf, storedEvents, useProgram } from '@collab-spaces/testing'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('two humans in two windows', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates Ada and Grace in one space. */
  async function twoPeople() {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const path = await server.openSpace(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    const spaceId = spaceIdOf(path)
    const here = (actor: typeof ada) => browser.comeIn(actor, `/s/${spaceId}`)
    return { ada, grace, path, spaceId, a: await here(ada), g: await here(grace) }
  }

  it('talk, and mention each other', async () => {
    const { ada, grace, path, a, g } = await twoPeople()
    await a.say('Shall we take the early train?')
    await g.sees('Shall we take the early train?')

    const field = g.page.getByRole('textbox', { name: /^Message to/ })
    await field.pressSequentially('Yes, @ad')
    await g.page.getByRole('option', { name: /Ada/ }).waitFor()
    await field.press('Enter')
    await field.pressSequentially('!')
    await field.press('Enter')
    await a.sees('Yes,')
    const [mention] = await server.as(ada).get(`${path}/mentions/${ada.actor_id}`).expect(200)
    expect(mention).toMatchObject({ text: 'Yes, @Ada!', posted_by: grace.actor_id })
  })

  it('are warned about an ambiguous name, and mention the selected participant', async () => {
    const { ada, path, a } = await twoPeople()
    const others = [await server.registerHuman('Alan Turing'), await server.registerHuman('Alan Kay')]
    for (const actor of others) await server.as(actor).post(`${path}/join`).expect(200)
    const [turing, kay] = others.map(({ actor_id }) => actor_id)
    await a.page.reload()
    const field = a.page.getByRole('textbox', { name: /^Message to/ })
    await field.fill('Hello @grace, and @Alan, you too.')
    await a.page.getByText('2 participants are named Alan: choose one from the list').waitFor()
    await field.fill('Hello @grace, and ')
    await field.pressSequentially('@alan k')
    await a.page.getByRole('option', { name: /Alan Kay/ }).click()
    await field.press('Enter')
    await a.sees('Hello')
    await a.page.getByText('Sending…').waitFor({ state: 'detached' })
    const [{ metadata }] = await server.as(ada).get(`${path}/events`).expect(200)
    expect(metadata.mentions).toContain(kay)
    expect(metadata.mentions).not.toContain(turing)
    expect(metadata.mentions).toHaveLength(2)
    await a.history.getByText('@grace', { exact: true }).waitFor()
  })

  it('talk in a thread', async () => {
    const { a, g } = await twoPeople()
    await a.say('The archive has 200 GB')
    await g.sees('The archive has 200 GB')
    await g.act('The archive has 200 GB', 'Reply in a thread')
    const reply = g.page.getByRole('textbox', { name: 'Reply in this thread' })
    await reply.fill('How much of it is the index?')
    await reply.press('Enter')
    await a.sees('How much of it is the index?')
    await a.page.getByRole('button', { name: '1 reply', exact: true }).click()
    const thread = a.page.getByRole('complementary', { name: 'The archive has 200 GB' })
    await thread.getByText('How much of it is the index?').waitFor()
    await g.page.getByRole('textbox', { name: 'Reply in this thread' }).fill('I see')
    await g.page.getByRole('textbox', { name: 'Reply in this thread' }).press('Enter')
    await thread.getByText('I see').waitFor()
  })

  it('resume after an outage, and miss no event', async () => {
    const { ada, grace, path, a, g } = await twoPeople()
    await a.say('before')
    await g.sees('before')
    await server.kill()
    // The second one after a request has failed.
    await g.page.getByText(/^(Reconnecting…|The server is not responding)/).waitFor()
    await a.say('said to no listener')
    await a.page.getByText('Waiting for the connection').waitFor()
    await server.start()
    await server.as(grace).post(`${path}/speech`, { text: 'said by a program' }).expect(200)
    for (const one of [a, g]) {
      await one.sees('said to no listener')
      await one.sees('said by a program')
      expect(await one.times('said by a program')).toBe(1)
    }
    await a.page.getByText('Sending…').waitFor({ state: 'detached' })
    const texts = (await server.as(ada).get(`${path}/events`).expect(200)).map(({ text }: { text: string }) => text)
    expect(texts.toSorted()).toEqual(['before', 'said by a program', 'said to no listener'])
  })

  it('retry a failed message, which is posted once', async () => {
    const { ada, path, a } = await twoPeople()
    await a.page.route('**/trpc/event.speech**', async (route) => {
      // The request arrives, but its response does not.
      await route.fetch()
      await route.fulfill({
        status: 400,
        json: {
          error: {
            message: 'no',
            code: -32600,
            data: { httpStatus: 400, code: 'BAD_REQUEST', detail: 'The answer was lost' },
          },
        },
      })
    })
    await a.say('only once')
    await a.page.getByRole('alert').getByText('Not sent').waitFor()
    await a.page.unroute('**/trpc/event.speech**')

    // The failed message survives a reload.
    await a.page.reload()
    await a.page.getByRole('button', { name: 'Send again' }).click()
    await a.page.getByText('Not sent').waitFor({ state: 'detached' })
    await a.sees('only once')
    const events = await storedEvents(server.connection, path)
    expect(events).toHaveLength(1)
    await server.as(ada).get(`${path}/status`).expect(200)
  })

  it('see pending messages while offline, which are sent automatically, once and in order', async () => {
    const { path, a, g } = await twoPeople()
    await a.say('before')
    await g.sees('before')
    await a.context.setOffline(true)
    for (const text of ['into the void', 'and more', 'never mind']) await a.say(text)
    const waiting = a.history.getByRole('article').filter({ hasText: 'Waiting for the connection' })
    await waiting.nth(2).waitFor()
    await a.page.getByText("You're offline").waitFor()
    await waiting.filter({ hasText: 'never mind' }).getByRole('button', { name: 'Discard' }).click()
    await waiting.nth(2).waitFor({ state: 'detached' })
    await a.context.setOffline(false)
    await g.sees('and more')
    await a.page.getByText('Waiting for the connection').first().waitFor({ state: 'detached' })
    await a.page.getByText("You're offline").waitFor({ state: 'detached' })
    await a.page.getByText('Sending…').first().waitFor({ state: 'detached' })
    const events = await storedEvents(server.connection, path)
    expect(events.map(({ text }: { text: string }) => text)).toEqual(['before', 'into the void', 'and more'])
    expect(await a.times('into the void')).toBe(1)
  })

  it('reply by keyboard alone', async () => {
    const { a, g } = await twoPeople()
    await a.say('first')
    await a.say('second')
    await g.sees('second')
    await g.history.focus()
    await g.page.keyboard.press('ArrowUp')
    // The focus moves to the line.
    await g.page.locator('article:focus').getByText('second').waitFor()
    await g.page.keyboard.press('ArrowUp')
    await g.page.locator('article:focus').getByText('first').waitFor()
    await g.page.keyboard.press('r')
    await g.page.getByText('Replying to Ada').waitFor()
    await g.page.locator('textarea:focus').waitFor()
    await g.page.keyboard.type('to the first')
    await g.page.keyboard.press('Enter')
    await a.sees('to the first')
    await a.history.getByRole('button', { name: 'Ada first' }).waitFor()
    // The actions of a line are one stop of the Tab key, in which arrows move.
    await g.history.focus()
    await g.page.keyboard.press('ArrowDown')
    const tools = g.history.getByRole('toolbar')
    const action = (name: string) => tools.getByRole('button', { name, exact: true })
    const focused = g.page.locator(':focus')
    await action('Reply').focus()
    await g.page.keyboard.press('ArrowRight')
    await action('Add reaction').and(focused).waitFor()
    await g.page.keyboard.press('ArrowLeft')
    await g.page.keyboard.press('ArrowLeft')
    await action('Details').and(focused).waitFor()
    await g.page.keyboard.press('Tab')
    await tools.and(g.page.locator(':focus-within')).waitFor({ state: 'detached' })
  })

  it('open a thread by keyboard, reply, and return to the previous line', async () => {
    const { a, g } = await twoPeople()
    await a.say('What about lunch?')
    await g.sees('What about lunch?')
    const { page } = g
    await g.history.focus()
    await page.keyboard.press('ArrowUp')
    await page.locator('article:focus').getByText('What about lunch?').waitFor()
    await page.keyboard.press('t')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('At one.')
    await page.keyboard.press('Enter')
    await a.sees('At one.')
    // The buttons of the reply and earlier replies precede the field.
    const replies = page.getByRole('complementary').locator('article[id^="event-"]')
    // The event, not the outgoing message.
    await replies.filter({ hasText: 'At one.' }).waitFor()
    // Between the two is the poster's name, which opens a card.
    await page.keyboard.press('Shift+Tab')
    await page.locator('article button[aria-haspopup="dialog"]:focus').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.locator('article:focus').getByText('At one.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.locator('article button[aria-label="Reply"]:focus').waitFor()
    await page.getByRole('textbox', { name: 'Reply in this thread' }).focus()
    // The first Escape leaves the field, the second one closes the thread.
    await page.keyboard.press('Escape')
    await page.locator('aside > section:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('article:focus').getByText('What about lunch?').waitFor()
    expect(await page.getByRole('textbox', { name: 'Reply in this thread' }).count()).toBe(0)
  })

  it('have read events that arrive while the unread count loads', async () => {
    const { a, g, spaceId } = await twoPeople()
    await a.say('too late to be counted')
    await g.sees('too late to be counted')
    const counted = async (route: Route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replaceAll('"event_count":1', '"event_count":0')
        .replaceAll(/"last_event_at":"[^"]+"/g, '"last_event_at":null')
      await route.fulfill({ response, body })
    }
    await g.page.route('**/trpc/*space.status*', counted, { times: 1 })
    await g.page.reload()
    await g.sees('too late to be counted')
    await g.page.getByTitle(/Ada, Grace|Grace, Ada/).waitFor()
    await g.page.getByRole('link', { name: 'Home' }).click()
    const row = g.page.getByRole('main').getByRole('link', { name: spaceId })
    await row.waitFor()
    await row.getByText('1 new').waitFor({ state: 'detached' })
  })
})
