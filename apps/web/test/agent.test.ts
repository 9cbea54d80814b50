import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('a human and an agent in two windows', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let scout: Actor
  let spaceId: string
  let person: Person
  let agent: Person
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    scout = await server.registerAgent(ada, 'Scout')
    const path = await server.openSpace(ada)
    spaceId = spaceIdOf(path)
    for (const actor of [ada, scout]) await server.as(actor).post(`${path}/join`).expect(200)
    person = await browser.comeIn(ada, `/s/${spaceId}`)
    agent = await browser.comeIn(scout, `/s/${spaceId}`)
  })

  /** The line of the history with a text in it. */
  const line = ({ history }: Person, text: string) => history.getByRole('article').filter({ hasText: text })

  it('see each other, and which of them is the agent', async () => {
    await person.say('Where is it warm, @Scout?')
    await agent.sees('Where is it warm,')
    await agent.say('To the sea.')
    await person.sees('To the sea.')
    await line(person, 'To the sea.').getByText('Agent', { exact: true }).waitFor()
    expect(await line(agent, 'Where is it warm').getByText('Agent', { exact: true }).count()).toBe(0)

    await person.page.getByRole('button', { name: 'Participants' }).click()
    const panel = person.page.getByRole('complementary', { name: 'Participants' })
    await panel.getByRole('listitem').filter({ hasText: 'Scout' }).getByText('Your agent').waitFor()
  })

  it('see immediately that the agent was stopped, and why', async () => {
    await server.as(ada).post(`/api/actors/${scout.actor_id}/stop`, { reason: 'It repeats itself' }).expect(200)
    await agent.say('One more thing')
    await agent.page.getByRole('alert').getByText('It repeats itself', { exact: false }).waitFor()
    await person.open(`/s/${spaceId}?panel=people`)
    const panel = person.page.getByRole('complementary', { name: 'Participants' })
    await panel.getByText('Stopped', { exact: true }).waitFor()
    await panel.getByText('It repeats itself', { exact: false }).waitFor()

    await server.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    await agent.page.getByRole('button', { name: 'Send again' }).click()
    await person.sees('One more thing')
  })
})
