import { type Actor, eventually, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { check } from './support/axe.js'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a message', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    for (const space_id of ['plans', 'journey']) {
      await server.as(ada).post('/api/spaces', { space_id }).expect(200)
      for (const actor of [ada, grace]) await server.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
    }
    const say = (text: string) => server.as(ada).post('/api/spaces/plans/speech', { text }).expect(200)
    await say('The heliotrope is in the second carriage.')
    for (let at = 0; at < 150; at++) await say(`Something else, number ${at}`)
  })

  it('is found in the search panel, one click away', async () => {
    const person = await browser.comeIn(ada, '/s/plans')
    const { page } = person
    await person.sees('Something else, number 149')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Words' }).fill('heliotropes')
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /heliotrope/ })
      .click()
    await person.sees('The heliotrope is in the second carriage.')
    expect(page.url()).toMatch(/\/s\/plans\/e\/[0-9a-f-]{36}\?panel=search$/)
    // Escape empties the field, leaves it, and closes the panel.
    const words = page.getByRole('searchbox', { name: 'Words' })
    await words.press('Escape')
    await eventually(async () => (await words.inputValue()) === '')
    await words.press('Escape')
    await page.locator('aside > section:focus').waitFor()
    await page.keyboard.press('Escape')
    await words.waitFor({ state: 'detached' })
  })

  it('is found by operators, which the search completes', async () => {
    const person = await browser.comeIn(ada, '/s/journey?panel=search')
    const { page } = person
    await server.as(grace).post('/api/spaces/plans/speech', { text: 'The axolotl is mine' }).expect(200)
    await server.as(ada).post('/api/spaces/plans/speech', { text: 'The axolotl is yours' }).expect(200)
    const words = page.getByRole('searchbox', { name: 'Words' })
    const list = page.getByRole('listbox', { name: 'Ways to narrow the search' })
    await words.pressSequentially('axolotl fr')
    await list.getByRole('option', { name: 'from: By a person or agent' }).waitFor()
    await words.press('Enter')
    await words.pressSequentially('gra')
    await list.getByRole('option', { name: 'Grace' }).waitFor()
    await check(person, 'completion in a search')
    await words.press('Enter')
    await words.pressSequentially('in:pl')
    // No space has this name, which is no failure while it is typed.
    const panel = page.getByRole('complementary')
    await panel.getByText('No matches').waitFor()
    await list.getByRole('option', { name: 'plans' }).click()
    expect(await words.inputValue()).toBe('axolotl from:Grace in:plans ')
    await panel.getByRole('link', { name: /axolotl is mine/ }).waitFor()
    expect(await panel.getByRole('link', { name: /axolotl is yours/ }).count()).toBe(0)
    await words.pressSequentially('after:yes')
    await list.getByRole('option', { name: /Yesterday$/ }).click()
    expect(await words.inputValue()).toMatch(/after:\d{4}-\d{2}-\d{2} $/)
    await panel.getByRole('link', { name: /axolotl is mine/ }).waitFor()
    await words.press('Control+z')
    expect(await words.inputValue()).toMatch(/after:yes$/)
    await words.fill('before:soon')
    await panel.getByText(/^before: needs a date/).waitFor()
  })

  it('is found from any page, by keyboard alone', async () => {
    const person = await browser.comeIn(ada, '/')
    const { page } = person
    await page.getByRole('main').getByRole('link', { name: 'plans' }).first().waitFor()
    const words = page.getByRole('combobox', { name: 'Search or jump to' })
    await page.keyboard.press('Control+k')
    await words.fill('heliotrope')
    await page.getByRole('option', { name: /second carriage/ }).waitFor()
    await page.keyboard.press('Enter')
    await person.sees('The heliotrope is in the second carriage.')
    await page.keyboard.press('Control+k')
    await words.pressSequentially('journ')
    await page.getByRole('option', { name: 'journey' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/s/journey')
    await page.keyboard.press('Control+k')
    await words.pressSequentially('new tok')
    await page.getByRole('option', { name: 'New token' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New token' }).waitFor()
    await page.goBack()
    await page.getByRole('log').waitFor()
  })

  it('is found without its Markdown, with its time', async () => {
    const text = '## Where\n\n- the **quokka** is at [the zoo](https://example.org/zoo) in `July`'
    await server.as(ada).post('/api/spaces/journey/speech', { text }).expect(200)
    const { page } = await browser.comeIn(grace, '/s/journey?panel=search')
    await page.getByRole('searchbox', { name: 'Words' }).fill('quokka')
    const words = 'Where the quokka is at the zoo in July'
    const found = page.getByRole('complementary').getByRole('link', { name: words })
    await found.locator('time').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('quokka')
    const option = page.getByRole('group', { name: 'Messages' }).getByRole('option', { name: words })
    await option.getByText(/\d.* · journey$/).waitFor()
  })

  it('is found by the text of its file, which the panel names', async () => {
    const as = server.as(ada)
    const { file_id } = await as.post('/api/spaces/journey/files?name=list.txt', 'Take a sextant').expect(200)
    await as.post('/api/spaces/journey/speech', { text: 'My list', file_ids: [file_id] }).expect(200)
    await eventually(async () => (await as.get('/api/search?q=sextant&space_id=journey').expect(200)).length === 1)
    const { page } = await browser.comeIn(grace, '/s/journey?panel=search')
    await page.getByRole('searchbox', { name: 'Words' }).fill('sextants')
    const found = page.getByRole('complementary').getByRole('link', { name: /My list.*list\.txt.*Take a sextant/s })
    await found.getByText('sextant', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('sextants')
    await page.getByRole('option', { name: /list\.txt: Take a sextant/ }).waitFor()
  })

  it('is found as a decision, open ones first, in the panel and the palette', async () => {
    const propose = async (text: string): Promise<string> =>
      (await server.as(ada).post('/api/spaces/journey/decisions', { proposed_by: ada.actor_id, text }).expect(200))
        .decision_id
    const settled = await propose('Rent the **old** bicycles')
    const outcome = { resolved_by: ada.actor_id, resolution: 'They are cheap', status: 'resolved' }
    await server.as(ada).put(`/api/spaces/journey/decisions/${settled}/resolve`, outcome).expect(200)
    await propose('Buy new bicycles')
    const { page } = await browser.comeIn(grace, '/s/journey?panel=search')
    await page.getByRole('searchbox', { name: 'Words' }).fill('bicycl')
    const found = page.getByRole('region', { name: 'Decisions' }).getByRole('link')
    await found.filter({ hasText: 'They are cheap' }).waitFor()
    expect(await found.allInnerTexts()).toEqual([
      expect.stringContaining('Buy new bicycles'),
      expect.stringContaining('Rent the old bicycles'),
    ])
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('bicycl')
    await page.getByRole('option', { name: /Buy new bicycles/ }).click()
    await page.getByRole('complementary').getByText('Buy new bicycles').waitFor()
  })

  it('is summarized, with citations that link to it', async () => {
    const person = await browser.comeIn(ada, '/s/plans?panel=summary')
    const { page } = person
    await page.getByRole('button', { name: 'Summarize' }).click()
    await page.getByRole('link', { name: 'Source 1' }).first().click()
    await page.waitForURL(/\/s\/plans\/e\/[0-9a-f-]{36}\?panel=summary$/)
  })

  it('is summarized in the language of the page', async () => {
    const person = await browser.comeIn(ada, '/s/plans?panel=summary')
    const { page } = person
    for (const [language, submit, heading] of [
      ['de', 'Zusammenfassen', 'Teilnehmer'],
      ['ar', 'تلخيص', 'المشاركون'],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('spaces.language', value), language)
      await page.reload()
      await page.getByRole('button', { name: submit, exact: true }).click()
      await page.getByRole('complementary').getByText(heading, { exact: true }).waitFor()
    }
  })

  it('is in the inbox of mentioned actors until it is done', async () => {
    const speech = { text: 'Are you coming?', metadata: { mentions: [grace.actor_id] } }
    await server.as(ada).post('/api/spaces/journey/speech', speech).expect(200)
    const { page } = await browser.comeIn(grace, '/')
    await page.getByRole('link', { name: /Are you coming\?/ }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByTitle('Waiting for you').getByText('2').waitFor()
    await eventually(async () => (await page.title()) === '(2) Hello, Grace · Collaboration Spaces')
    await page.getByRole('button', { name: 'Mark all as done' }).click()
    await page.getByText("You're all caught up.", { exact: false }).waitFor()
  })
})
