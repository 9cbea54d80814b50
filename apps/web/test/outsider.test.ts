import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { check } from './support/axe.js'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a mention of a member who is not in the space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let linus: Actor
  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const invited = async (name: string) => {
      const { code } = await server.as(ada).post('/api/invites', {}).expect(200)
      const actor = await server.registerHuman(name)
      await server.as(actor).post('/api/invites/redeem', { code }).expect(200)
      return actor
    }
    grace = await invited('Grace Hopper')
    linus = await invited('Linus')
  })

  async function spaceOf(...others: readonly Actor[]): Promise<string> {
    const path = await server.openSpace(ada)
    for (const actor of [ada, ...others]) await server.as(actor).post(`${path}/join`).expect(200)
    return path
  }

  it('lets the owner add the member, who is then mentioned', async () => {
    const path = await spaceOf()
    const one = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    const { page } = one
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.pressSequentially('Look, @gra')
    await page.getByRole('option', { name: 'Grace Hopper Not in this space' }).click()
    expect(await field.inputValue()).toBe('Look, @Grace Hopper ')
    await page.getByText('Grace Hopper is not in this space').waitFor()
    await check(one, 'a mention that would not reach a member')
    await page.getByRole('button', { name: 'Add Grace Hopper' }).click()
    await page.getByText('Grace Hopper is not in this space').waitFor({ state: 'detached' })
    await field.press('Enter')
    await one.sees('Look,')
    await page.getByText('Sending…').waitFor({ state: 'detached' })
    const mentions = await server.as(grace).get(`${path}/mentions/${grace.actor_id}`).expect(200)
    expect(mentions).toMatchObject([{ text: 'Look, @Grace Hopper' }])
  })

  it('warns another participant', async () => {
    const path = await spaceOf(linus)
    const { page } = await browser.comeIn(linus, `/s/${spaceIdOf(path)}`)
    await page.getByRole('textbox', { name: /^Message to/ }).fill('Look, @grace!')
    await page.getByText('Grace Hopper is not in this space').waitFor()
    expect(await page.getByRole('button', { name: /^Add Grace/ }).count()).toBe(0)
  })
})
