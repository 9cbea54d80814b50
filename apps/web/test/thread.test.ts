import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('threads', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates Ada's space with a question and a number of replies in its thread. */
  async function withReplies(count: number) {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const path = await server.openSpace(ada)
    const question = await post(ada, path, { text: 'Where shall we go?' })
    const thread = await server
      .as(ada)
      .post(`${path}/threads`, { parent_event_id: question.event_id, subject: 'Where to' })
      .expect(200)
    const reply = (text: string, from = grace) =>
      post(from, path, { text, thread_id: thread.thread_id, parent_event_id: question.event_id })
    const replies = []
    for (let n = 1; n <= count; n += 1) replies.push(await reply(`idea ${n}`))
    return { ada, grace, path, spaceId: spaceIdOf(path), question, replies, reply }
  }

  const post = (actor: Actor, path: string, speech: object) =>
    server.as(actor).post(`${path}/speech`, speech).expect(200)

  it('start on a message without a failed request', async () => {
    const { ada, spaceId, question } = await withReplies(1)
    const other = await post(ada, `/api/spaces/${spaceId}`, { text: 'No thread here' })
    const reader = await browser.comeIn(ada, `/s/${spaceId}?thread=${other.event_id}`)
    const failed: string[] = []
    reader.page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    await reader.open(`/s/${spaceId}?thread=${other.event_id}`)
    const panel = reader.page.getByRole('complementary', { name: 'Thread' })
    await panel.getByText('No thread here').waitFor()
    await panel.getByRole('textbox').waitFor()
    await reader.open(`/s/${spaceId}?thread=${question.event_id}`)
    await reader.page.getByRole('complementary', { name: 'Where to' }).getByText('idea 1').waitFor()
    expect(failed).toEqual([])
  })

  it('are one line of the history, with their newest replies and unread count', async () => {
    const { ada, grace, path, spaceId, reply } = await withReplies(4)
    const reader = await browser.comeIn(ada, `/s/${spaceId}`)
    const row = reader.history.getByRole('article', { name: /^Thread, last reply by Grace/ })
    for (const text of ['idea 3', 'idea 4']) await row.getByText(text).waitFor()
    expect(await reader.times('idea 2')).toBe(0)
    await row.getByRole('button', { name: 'Open the thread: 4 replies' }).waitFor()
    await reader.page.getByRole('link', { name: 'Home' }).click()
    await reader.page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await reply('idea 5')
    await reader.page.goBack()
    await row.getByText('idea 5').waitFor()
    await row.getByText('1 new').waitFor()
    expect(await reader.history.getByRole('article').count()).toBe(2)
    // After other messages, further replies start another line.
    await post(grace, path, { text: 'By the way' })
    await reader.sees('By the way')
    await reply('idea 6')
    await reader.sees('idea 6')
    await row.getByRole('button', { name: '5 replies in a thread that continues below' }).waitFor()
    await row.last().getByRole('button', { name: 'Open the thread: 6 replies' }).click()
    await reader.page.getByRole('complementary', { name: 'Where to' }).getByText('idea 1').waitFor()
  })

  it('grow while open, without a request for each reply', async () => {
    const { ada, spaceId, question, reply } = await withReplies(1)
    const reader = await browser.comeIn(ada, `/s/${spaceId}?thread=${question.event_id}`)
    const panel = reader.page.getByRole('complementary', { name: 'Where to' })
    await panel.getByText('idea 1', { exact: true }).waitFor()
    await reader.sees('idea 1')
    await reply('idea 2')
    await panel.getByText('idea 2', { exact: true }).waitFor()
    const urls: string[] = []
    reader.page.on('request', (request) => urls.push(request.url()))
    for (let n = 3; n <= 20; n++) await reply(`idea ${n}`)
    for (let n = 2; n <= 20; n++) await panel.getByText(`idea ${n}`, { exact: true }).waitFor()
    expect(urls.filter((url) => url.includes('thread.'))).toEqual([])
    await reader.page.reload()
    for (let n = 1; n <= 20; n++) await panel.getByText(`idea ${n}`, { exact: true }).waitFor()
  })

  it('show the reply that a link leads to', async () => {
    const { ada, spaceId, replies } = await withReplies(5)
    const reader = await browser.comeIn(ada, `/s/${spaceId}/e/${replies[0]?.event_id}`)
    await reader.sees('idea 1')
    expect(await reader.times('idea 2')).toBe(0)
  })

  it('start with their first reply, without further requests', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await post(ada, path, { text: 'Is **anyone** here?' })
    const reader = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    await reader.sees('here?')
    await reader.act('here?', 'Reply in a thread')
    await reader.page.locator('textarea:focus').waitFor()
    expect(await server.as(ada).get(`${path}/threads`).expect(200)).toEqual([])
    await reader.page.getByLabel('Also send to the space').check()
    await reader.page.getByRole('textbox', { name: 'Reply in this thread' }).fill('Yes, I am')
    await reader.page.keyboard.press('Tab')
    await reader.page.getByRole('textbox', { name: 'Reply in this thread' }).press('Enter')
    await reader.page.getByRole('complementary', { name: 'Is anyone here?' }).waitFor()
    await reader.history.getByText('Yes, I am').nth(1).waitFor()
    await reader.page.getByText('Sending…').first().waitFor({ state: 'detached' })
    const events = await server.as(ada).get(`${path}/events`).expect(200)
    const [root, inThread, inSpace] = events
    expect(events).toHaveLength(3)
    expect(inThread).toMatchObject({ text: 'Yes, I am', parent_event_id: root.event_id })
    expect(inThread.thread_id).not.toBeNull()
    expect(inSpace).toMatchObject({ text: 'Yes, I am', parent_event_id: root.event_id, thread_id: null })
    await reader.page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => {
      const [, ...both] = await server.as(ada).get(`${path}/events?limit=3`).expect(200)
      return both.every(({ retracted_by }: { retracted_by?: string }) => retracted_by !== undefined)
    })
  })

  it('are listed by newest reply, and return the focus when closed', async () => {
    const { ada, path, spaceId, reply } = await withReplies(1)
    const other = await post(ada, path, { text: 'And when?' })
    await server.as(ada).post(`${path}/threads`, { parent_event_id: other.event_id, subject: 'When' }).expect(200)
    const reader = await browser.comeIn(ada, `/s/${spaceId}?panel=threads`)
    const list = reader.page.getByRole('list', { name: 'Threads in this space' })
    await list.getByRole('link').first().getByText('When').waitFor()
    await reply('idea 2')
    await list.getByRole('link').first().getByText('idea 2').waitFor()
    await list.getByRole('link').first().click()
    await reader.page.getByRole('complementary', { name: 'Where to' }).waitFor()
    await reader.page.locator('textarea:focus').waitFor()
    await reader.page.keyboard.press('Escape')
    expect(await reader.page.evaluate(() => document.activeElement === document.body)).toBe(false)
  })
})
