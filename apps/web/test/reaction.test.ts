import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { check } from './support/axe.js'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { STREAM } from './support/requests.js'

describeInBrowser('reactions', () => {
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

  const chip = ({ history }: Person, name: string) => history.getByRole('button', { name, exact: true })

  it('are added by the actions of a message, shown to all readers immediately, and removed', async () => {
    await one.say('We fly')
    await other.sees('We fly')
    await other.act('We fly', 'Add reaction')
    await other.page.getByRole('menuitem', { name: '🎉' }).click()
    await chip(other, '🎉 You').waitFor()
    await chip(one, '🎉 Grace').click()
    await chip(one, '🎉 Grace, You').waitFor()
    await chip(other, '🎉 You, Ada').waitFor()
    expect(await chip(other, '🎉 You, Ada').textContent()).toBe('🎉 2')
    expect(await chip(other, '🎉 You, Ada').getAttribute('aria-pressed')).toBe('true')

    await chip(other, '🎉 You, Ada').click()
    await chip(one, '🎉 You').click()
    await chip(one, '🎉 You').waitFor({ state: 'detached' })
    await other.history.getByRole('list', { name: 'Reactions' }).waitFor({ state: 'detached' })
  })

  it('can be any emoji, which is searched by name', async () => {
    await one.say('We sail')
    await one.page.getByText('Sending…').waitFor({ state: 'detached' })
    await one.act('We sail', 'Add reaction')
    await one.page.getByRole('menuitem', { name: 'Any other…' }).click()
    const dialog = one.page.getByRole('dialog', { name: 'Choose a reaction' })
    const words = dialog.getByRole('searchbox', { name: 'Search emoji' })
    await words.fill('sailboat')
    await dialog.getByRole('button', { name: 'sailboat' }).waitFor()
    await check(one, 'the choice of any emoji')
    await words.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await chip(one, '⛵ You').waitFor()
    await chip(other, '⛵ Ada').waitFor()
    await one.act('We sail', 'Add reaction')
    await one.page.getByRole('menuitem', { name: 'Any other…' }).click()
    await words.fill('no such thing')
    await dialog.getByText('No matches.').waitFor()
    await words.fill('rocket')
    await dialog.getByRole('button', { name: 'rocket' }).click()
    await chip(one, '🚀 You').waitFor()
  })

  it('are current on loaded messages after a break of the connection', async () => {
    const lines = Array.from({ length: 90 }, (_, n) => ({
      text: `line ${n}`,
      speaker_id: ada.actor_id,
      speaker_name: 'Ada',
    }))
    const events = await server.as(ada).post(`${path}/events/batch`, { events: lines }).expect(200)
    await one.sees('line 89')
    expect(await one.times('line 3')).toBe(0)
    await one.page.route(`**${STREAM}*`, (route) => route.abort())
    await server.kill()
    await server.start()
    await server
      .as(grace)
      .put(`${path}/events/${events[3].event_id}/reactions/${encodeURIComponent('👍')}`)
      .expect(200)
    await one.page.unroute(`**${STREAM}*`)
    await server.as(grace).post(`${path}/speech`, { text: 'after' }).expect(200)
    await one.sees('after')
    await one.history.evaluate((log) => log.scrollTo(0, 0))
    await chip(one, '👍 Grace').waitFor()
  })

  it('are shown when the space is opened, and disabled while it is paused', async () => {
    const { event_id } = await server.as(ada).post(`${path}/speech`, { text: 'We sail' }).expect(200)
    await server
      .as(grace)
      .put(`${path}/events/${event_id}/reactions/${encodeURIComponent('👍')}`)
      .expect(200)
    await server.as(ada).patch(path, { status: 'paused' }).expect(200)
    await one.page.reload()
    const thumb = chip(one, '👍 Grace')
    await thumb.waitFor()
    expect(await thumb.isDisabled()).toBe(true)
  })
})
