import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('corrections and retractions', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let path: string
  let one: Person
  let other: Person

  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    path = await server.openSpace(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    one = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    other = await browser.comeIn(grace, `/s/${spaceIdOf(path)}`)
  })

  const field = () => one.page.getByRole('textbox', { name: /^Message to/ })
  const sent = async (text: string) => {
    await one.say(text)
    await other.sees(text)
  }
  const stored = async () => (await server.as(ada).get(`${path}/events`).expect(200))[0]

  it('edit the last message by ArrowUp, for all readers, with its history on demand', async () => {
    await sent('Teh plan')
    await field().press('ArrowUp')
    expect(await field().inputValue()).toBe('Teh plan')
    await field().fill('The plan')
    await field().press('Enter')
    for (const person of [one, other]) {
      await person.sees('The plan')
      await person.history.getByText('(edited)').waitFor()
      expect(await person.times('Teh plan')).toBe(0)
    }
    expect(await field().inputValue()).toBe('')
    await other.history.getByRole('button', { name: /\(edited\)/ }).click()
    const details = other.page.getByRole('dialog')
    for (const text of ['Teh plan', 'The plan']) await details.getByText(text, { exact: true }).waitFor()
    expect(await stored()).toMatchObject({ text: 'Teh plan', current_text: 'The plan' })
  })

  it('edit from the actions of an own message, and keep the draft', async () => {
    await sent('One')
    await field().fill('A draft')
    await one.act('One', 'Edit')
    expect(await field().inputValue()).toBe('One')
    await field().press('Escape')
    expect(await field().inputValue()).toBe('A draft')
    const foreign = other.history.getByRole('article').filter({ hasText: 'One' })
    await foreign.hover()
    await foreign.getByRole('button', { name: 'Reply', exact: true }).waitFor()
    expect(await foreign.getByRole('button', { name: 'Edit' }).count()).toBe(0)
  })

  it('retract a message, and say that it is no erasure', async () => {
    await sent('To the wrong space')
    await one.act('To the wrong space', 'Retract')
    const dialog = one.page.getByRole('dialog', { name: 'Retract this message?' })
    await dialog.getByText(/not erased/).waitFor()
    await dialog.getByRole('button', { name: 'Retract' }).click()
    for (const person of [one, other]) {
      await person.sees('This message was retracted.')
      expect(await person.times('To the wrong space')).toBe(0)
    }
    await other.history.getByRole('button', { name: /retracted/ }).click()
    await other.page.getByRole('dialog').getByText('To the wrong space').waitFor()
  })

  it('undo the message that was just sent', async () => {
    await sent('Too early')
    const bar = one.page.getByRole('status').filter({ hasText: 'Retracts it.' })
    await bar.getByRole('button', { name: 'Undo' }).click()
    await other.sees('This message was retracted.')
    await bar.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    expect((await stored()).retracted_by).toBeDefined()
    expect(await field().inputValue()).toBe('Too early')
  })

  it('undo a reply, whose text and target are back in the empty field', async () => {
    await other.say('Where to?')
    await one.sees('Where to?')
    const question = one.history.getByRole('article').filter({ hasText: 'Where to?' })
    await question.hover()
    await question.getByRole('button', { name: 'Reply', exact: true }).click()
    for (const [left, text] of [
      ['', 'Home'],
      ['Another', 'Another'],
    ] as const) {
      await sent('Home')
      await field().fill(left)
      await one.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await one.page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      expect(await field().inputValue()).toBe(text)
      await one.page
        .getByRole('button', { name: 'Cancel reply' })
        .waitFor({ state: left === '' ? 'visible' : 'detached' })
    }
  })

  it('leave the event read for its readers', async () => {
    await sent('Teh plan')
    const { event_id } = await stored()
    await server.as(ada).post(`${path}/speech`, { text: 'The plan', corrects: event_id }).expect(200)
    await other.sees('The plan')
    await eventually(async () => {
      const spaces: { space_id: string; unread_count: number }[] = await server
        .as(grace)
        .get('/api/actors/me/spaces')
        .expect(200)
      return spaces.find(({ space_id }) => space_id === spaceIdOf(path))?.unread_count === 0
    })
  })

  it('open at the original message from a link to a correction', async () => {
    await sent('Teh plan')
    const { event_id } = await stored()
    const correction = await server.as(ada).post(`${path}/speech`, { text: 'The plan', corrects: event_id }).expect(200)
    await other.open(`/s/${spaceIdOf(path)}/e/${correction.event_id}`)
    await other.sees('The plan')
    expect(await other.times('The plan')).toBe(1)
  })
})
