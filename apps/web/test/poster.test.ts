import { type Actor, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

/** The authenticated poster comes first, then the attributed speaker, also for screen readers. */
const AS_ADA = /^Scout Agent as Ada Lovelace\b/

describeInBrowser('an agent that posts in the name of a member', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let grace: Actor
  let spoofed: string

  beforeAll(async () => {
    const ada = await server.registerHuman('Ada Lovelace')
    grace = await server.registerHuman('Grace Hopper')
    // It has not joined, so its name is known from its posts.
    const scout = await server.registerAgent(ada)
    const path = await server.openSpace(ada, 'ship')
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    const post = async (actor: Actor, write: string, body: object): Promise<string> =>
      (await server.as(actor).post(`${path}/${write}`, body).expect(200)).event_id

    const asAda = { speaker_id: ada.actor_id, speaker_name: 'Ada Lovelace' }
    const mentions = { metadata: { mentions: [grace.actor_id] } }
    await post(ada, 'speech', { text: 'From the real Ada.' })
    spoofed = await post(scout, 'speech', { ...asAda, ...mentions, text: 'Paste the heliotrope token here.' })
    await post(scout, 'speech', { ...asAda, text: 'And the password.' })
    await post(scout, 'response', { ...asAda, speaker_type: 'human', text: 'A response.' })
    await post(scout, 'events', { ...asAda, speaker_type: 'human', text: 'An event.' })
    const asSystem = { speaker_id: scout.actor_id, speaker_name: 'Scout', speaker_type: 'system' }
    await post(scout, 'events', { ...asSystem, text: 'Maintenance.' })
    await post(scout, 'speech', { text: 'In its own name.' })
    const guest = { speaker_id: 'guest-3', speaker_name: 'Guest 3', speaker_type: 'transcript' }
    await post(ada, 'events', { ...guest, text: 'Said outside.' })
    await post(ada, 'speech', { parent_event_id: spoofed, text: 'Certainly not.' })
    const thread = { parent_event_id: spoofed, subject: 'Tokens' }
    const { thread_id } = await server.as(grace).post(`${path}/threads`, thread).expect(200)
    await post(scout, 'events', { ...asAda, speaker_type: 'human', thread_id, text: 'In the thread.' })
    const proposal = { proposed_by: ada.actor_id, text: 'Share the token' }
    await server.as(scout).post(`${path}/decisions`, proposal).expect(200)
  })

  it('is shown as an agent everywhere, before the attributed speaker', async () => {
    const { page, history, open } = await inSpace()
    const message = (text: string) => history.getByRole('article').filter({ hasText: text }).first()

    await expectAgent(message('Paste the heliotrope'), 'as Ada Lovelace')
    await history
      .getByRole('article', { name: /^Scout \(agent\) as Ada Lovelace, / })
      .first()
      .waitFor()
    // Further events by the same poster and speaker share the head.
    await expectFollowing(message('And the password.'))
    await expectAgent(message('A response.'), null)
    await expectAgent(message('An event.'), 'as Ada Lovelace')
    await expectAgent(message('Maintenance.'), 'as a system message')
    await expectAgent(message('In its own name.'), null)
    expect(await wordsOf(message('Said outside.'))).toMatch(/^ALAda Lovelace Human as Guest 3/)
    expect(await wordsOf(message('From the real Ada.'))).toMatch(/^ALAda Lovelace \d/)
    const faces = ['Paste the heliotrope', 'From the real Ada.'].map((text) => formOf(message(text)))
    expect(new Set(await Promise.all(faces)).size).toBe(2)

    const quote = message('Certainly not.').getByRole('button', { name: AS_ADA })
    await expectAgent(quote, 'as Ada Lovelace')

    await message('Paste the heliotrope').click()
    await page.keyboard.press('r')
    await page.getByText('Replying to Scout (agent) as Ada Lovelace').waitFor()
    await page.getByRole('button', { name: 'Cancel reply' }).click()
    await message('Paste the heliotrope').click()
    await page.keyboard.press('i')
    const details = page.getByRole('dialog')
    await details.getByText('not the poster').waitFor()
    expect(await wordsOf(details)).toMatch(/Posted by \(authenticated\)Scout Agent agt_/)
    await page.keyboard.press('Escape')

    await open(`/s/ship?thread=${spoofed}`)
    const thread = page.getByRole('complementary', { name: 'Tokens' })
    for (const text of ['Paste the heliotrope', 'In the thread.']) {
      await expectAgent(thread.getByRole('article').filter({ hasText: text }), 'as Ada Lovelace')
    }

    await open('/s/ship?panel=search')
    await page.getByRole('searchbox', { name: 'Words' }).fill('heliotrope')
    await expectAgent(page.getByRole('complementary').getByRole('link', { name: AS_ADA }), 'as Ada Lovelace')

    await open('/s/ship?panel=activity')
    const lane = page.getByRole('complementary').getByRole('group').filter({ hasText: 'Ada Lovelace' }).first()
    await lane.locator('summary').click()
    await lane.getByRole('link', { name: /Scout Agent as Ada Lovelace Paste the/ }).waitFor()

    await open('/s/ship/decisions')
    // A decision has no names: unknown actors have a placeholder.
    await expectAgent(page.getByRole('link', { name: /Share the token/ }), 'as Ada Lovelace', 'Unknown')

    await open('/s/ship?panel=search')
    await page.getByRole('searchbox', { name: 'Words' }).fill('share')
    const found = page.getByRole('region', { name: 'Decisions' }).getByRole('link', { name: /Share the token/ })
    await expectAgent(found, 'as Ada Lovelace', 'Unknown')

    await open('/')
    const waiting = page.getByRole('listitem').filter({ hasText: 'Paste the heliotrope' })
    await expectAgent(waiting, 'as Ada Lovelace')
    await waiting.getByRole('link', { name: /^Scout Agent as Ada Lovelace mentioned you/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('heliotrope')
    await expectAgent(page.getByRole('option', { name: AS_ADA }), 'as Ada Lovelace')
  })

  it('is shown in the language of the page', async () => {
    const options = { locale: 'de-DE', viewport: { width: 1280, height: 2_000 } }
    const person = await browser.comeIn(grace, '/s/ship', options)
    const message = (name: RegExp) => person.history.getByRole('article', { name }).first()
    await expectAgent(message(/^Scout \(Agent\) als Ada Lovelace, /), 'als Ada Lovelace')
    await expectAgent(message(/^Scout \(Agent\) als Systemnachricht, /), 'als Systemnachricht')
  })

  async function inSpace() {
    // The list mounts only visible lines.
    const person = await browser.comeIn(grace, '/s/ship', { viewport: { width: 1280, height: 2_000 } })
    const { page, history } = person
    await person.sees('In the thread.')
    return { page, history, open: (path: string) => person.open(path) }
  }
})

/** Returns the corner radius of an avatar: only humans are round. */
const formOf = (place: Locator): Promise<string> =>
  place
    .locator('[data-hue]')
    .first()
    .evaluate((picture) => getComputedStyle(picture).borderRadius)

const wordsOf = async (place: Locator): Promise<string> => (await place.textContent())?.replaceAll(/\s+/g, ' ') ?? ''

async function expectAgent(place: Locator, claim: string | null, name = 'Scout'): Promise<void> {
  await place.waitFor()
  expect(await formOf(place)).toBe('28%')
  const words = await wordsOf(place)
  const at = words.indexOf(name)
  expect(words.slice(at)).toMatch(claim === null ? /^Scout Agent (?!as )/ : `${name} Agent ${claim}`)
  // No other name or avatar precedes it.
  expect(words.slice(0, at)).not.toContain('A')
}

async function expectFollowing(place: Locator): Promise<void> {
  expect(await place.locator('[data-hue]').count()).toBe(0)
  await place.and(place.page().getByRole('article', { name: /^Scout \(agent\) as Ada Lovelace, / })).waitFor()
}
