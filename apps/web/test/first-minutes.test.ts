import { type Actor, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { checkAnyhow } from './support/axe.js'
import { describeInBrowser, Person, useBrowser } from './support/browser.js'

describeInBrowser('the first minutes', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  /** Creates a sample space by keyboard, and waits for the guide. */
  async function begin(person: Person): Promise<string> {
    const { page } = person
    await page.getByRole('button', { name: 'Try it in a sample space' }).press('Enter')
    await page.waitForURL(/\/s\/sample-[0-9a-f]{12}$/)
    await person.sees('I am the guide')
    return new URL(page.url()).pathname.slice('/s/'.length)
  }

  const guide = ({ page }: Person) => page.getByRole('region', { name: 'Guide' })
  const isDone = (person: Person, step: string) =>
    guide(person)
      .getByRole('listitem')
      .filter({ hasText: `${step}, Done` })
      .waitFor()
  const hasFocus = ({ page }: Person) => page.evaluate(() => document.activeElement !== document.body)

  /** Returns the steps of the events by an actor's guide. */
  async function saidByGuide(ada: Actor, spaceId: string): Promise<unknown[]> {
    const events = await server.as(ada).get(`/api/spaces/${spaceId}/events`).expect(200)
    return events
      .filter(({ posted_by_type }: { posted_by_type: string }) => posted_by_type === 'agent')
      .map(({ metadata }: { metadata: { guide?: string } }) => metadata.guide)
  }

  it('lead through a sample space in three steps, and leave no data behind', async () => {
    const ada = await server.registerHuman('Ada')
    const api = server.as(ada)
    const person = await browser.comeIn(ada, '/')
    const { page } = person
    const spaceId = await begin(person)
    expect(await hasFocus(person)).toBe(true)
    await guide(person).getByText('There is no model behind it').waitFor()
    await checkAnyhow(person, 'a sample space', () => guide(person).waitFor())

    await person.say('Hello')
    await person.sees('this is a reply to you')
    await isDone(person, 'Say something')
    const [agent] = await api.get('/api/actors/me/agents').expect(200)
    const [{ scopes, space_ids, expires_at }] = await api.get(`/api/actors/${agent.actor_id}/credentials`).expect(200)
    expect({ scopes, space_ids }).toEqual({ scopes: ['write'], space_ids: [spaceId] })
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(86_400_000)

    // After a reload, the sponsor rotates the guide's key.
    await page.reload()
    await isDone(person, 'Say something')
    await person.say('What is this, @Guide?')
    await person.sees("I don't understand that")
    const proposal = person.history.getByRole('group', { name: 'Decision' })
    await proposal.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Not yet')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await person.sees('my proposal was rejected')
    await isDone(person, 'Make a decision')
    expect(await saidByGuide(ada, spaceId)).toEqual(['welcome', 'answer', undefined, 'end'])
    await guide(person).getByRole('link', { name: 'New agent' }).waitFor()
    await checkAnyhow(person, 'a sample space at its end', () => guide(person).waitFor())

    await person.open('/')
    const steps = page.getByRole('list', { name: 'Get started' })
    await steps.getByRole('listitem').filter({ hasText: 'Create a space' }).getByText('To do').waitFor()
    await steps.getByRole('link', { name: 'Continue in your sample space' }).press('Enter')
    await guide(person).getByRole('button', { name: 'Remove sample' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByText('Create your first space').waitFor()
    expect(await hasFocus(person)).toBe(true)
    await page.getByRole('main').getByText('Sample space', { exact: true }).waitFor({ state: 'detached' })
    await api.get(`/api/spaces/${spaceId}/status`).expect(404)
    expect(await api.get('/api/actors/me/agents').expect(200)).toEqual([])
  })

  // Pages over plain HTTP have no Web Locks.
  it.each([true, false])('are the same in two tabs, where the guide answers once: secure %s', async (isSecure) => {
    const ada = await server.registerHuman('Ada')
    const { context, page } = await browser.person()
    if (!isSecure) await context.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    const one = new Person(page, server.url)
    await one.open('/')
    await one.signIn(ada, true)
    const spaceId = await begin(one)
    const other = new Person(await context.newPage(), server.url)
    await other.open(`/s/${spaceId}`)
    await other.sees('I am the guide')
    await other.say('Hello')
    for (const each of [one, other]) await each.sees('this is a reply to you')
    await page.close()
    await other.history.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Resolve' }).click()
    await other.page.getByRole('textbox', { name: 'Reason' }).fill('Soon')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await other.sees('my proposal was resolved')
    expect(await saidByGuide(ada, spaceId)).toEqual(['welcome', 'answer', 'end'])
    expect(await server.as(ada).get(`/api/spaces/${spaceId}/decisions`).expect(200)).toHaveLength(1)
  })

  it('explain what to do without permission for a guide, and clean up', async () => {
    const ada = await server.registerHuman('Ada')
    const { page } = await browser.comeIn(ada, '/')
    const detail = 'The quota of agents of one human (100) is used up'
    const refused = { error: { message: detail, code: -32603, data: { httpStatus: 403, detail } } }
    await page.route('**/trpc/actor.register**', (route) => route.fulfill({ status: 403, json: refused }))
    await page.getByRole('button', { name: 'Try it in a sample space' }).click()
    await page.getByRole('alert').getByText(detail).waitFor()
    await page.getByText('create a space, and ask an admin').waitFor()
    expect(await server.as(ada).get('/api/actors/me/spaces').expect(200)).toEqual([])
    expect(await page.getByText('Sample space', { exact: true }).count()).toBe(0)
    await page.getByText('Create your first space').waitFor()
  })
})
