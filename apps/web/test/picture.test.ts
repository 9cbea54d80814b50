import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'
import { drop, given, picture } from './support/files.js'

describeInBrowser('the picture of an actor', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let grace: Actor
  let scout: Actor
  let spaceId: string
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    scout = await server.registerAgent(ada, 'Scout')
    const path = await server.openSpace(ada)
    spaceId = spaceIdOf(path)
    for (const actor of [ada, grace, scout]) {
      await server.as(actor).post(`${path}/join`).expect(200)
      await server
        .as(actor)
        .post(`${path}/speech`, { text: `I am ${actor.display_name}` })
        .expect(200)
    }
  })

  const hashOf = async (actor: Actor) => (await server.as(actor).get('/api/actors/me').expect(200)).picture
  const setPicture = (actor: Actor, side = 32) =>
    server
      .as(ada)
      .put(`/api/actors/${actor.actor_id}/picture`, { content: picture(side, side).toString('base64') })
      .expect(200)
  const sizeOf = (image: Locator) =>
    image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight])
  /** Returns the picture beside the messages of an actor. */
  const faceOf = (history: Locator, { display_name }: Actor) =>
    history
      .getByRole('article')
      .filter({ hasText: `I am ${display_name}` })
      .locator('[data-hue]')
      .first()

  it('is chosen from a file, cropped to a square, shown to all, and removed', async () => {
    const a = await browser.comeIn(ada, `/s/${spaceId}`)
    const edit = async () => {
      await a.page.getByRole('button', { name: 'Account: Ada' }).click()
      await a.page.getByRole('menuitem', { name: 'Edit your profile…' }).click()
      return a.page.getByRole('dialog', { name: 'Edit your profile' })
    }
    const dialog = await edit()
    const field = dialog.getByRole('group', { name: 'Picture' })
    await field.locator('input[type=file]').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Not an image'),
    })
    await field.getByRole('alert').getByText('cannot read the file as an image', { exact: false }).waitFor()
    const photo = { name: 'photo.png', mimeType: 'image/png', buffer: picture(900, 600) }
    await field.locator('input[type=file]').setInputFiles(photo)
    await expect.poll(() => sizeOf(field.locator('img'))).toEqual([256, 256])
    expect(await hashOf(ada)).toBe(null)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await hashOf(ada)).toMatch(/^[0-9a-f]{64}$/)
    for (const person of [a, await browser.comeIn(grace, `/s/${spaceId}`)]) {
      const face = faceOf(person.history, ada)
      await expect.poll(() => sizeOf(face.locator('img'))).toEqual([256, 256])
      expect(await face.textContent()).toBe('')
      await expect.poll(() => faceOf(person.history, grace).textContent()).toBe('G')
    }
    const again = await edit()
    await again.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => again.getByRole('group', { name: 'Picture' }).locator('img').count()).toBe(0)
    await again.getByRole('button', { name: 'Save' }).click()
    await again.waitFor({ state: 'detached' })
    expect(await hashOf(ada)).toBe(null)
    await expect.poll(() => faceOf(a.history, ada).textContent()).toBe('A')
  })

  it('is set for an agent by dropping a file, and keeps the mark of an agent', async () => {
    const a = await browser.comeIn(ada, '/agents')
    await a.page.getByRole('button', { name: 'Actions for Scout' }).click()
    await a.page.getByRole('menuitem', { name: 'Picture…' }).click()
    const dialog = a.page.getByRole('dialog', { name: 'Picture of Scout' })
    await drop(dialog.getByRole('group', { name: 'Picture' }), [given('face.png', 'image/png', picture(300, 500))])
    await expect.poll(() => sizeOf(dialog.locator('img'))).toEqual([256, 256])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await hashOf(scout)).not.toBe(null)
    const g = await browser.comeIn(grace, `/s/${spaceId}`)
    await setPicture(ada)
    const shapeOf = (face: Locator) => face.evaluate((element) => getComputedStyle(element).borderRadius)
    const face = faceOf(g.history, scout)
    await face.locator('img').waitFor()
    // Rounded corners and the sign, at every size; a human has neither.
    expect(await shapeOf(face)).toBe('28%')
    for (const agent of await g.page
      .locator('[data-picture]')
      .filter({ has: g.page.locator('svg') })
      .all()) {
      if (await agent.isVisible()) expect(await agent.locator('svg').isVisible()).toBe(true)
    }
    expect(await face.locator('svg').isVisible()).toBe(true)
  })

  it('is requested once for many messages, and cached by the browser', async () => {
    await setPicture(ada)
    await setPicture(scout, 40)
    const path = `/api/spaces/${spaceId}/speech`
    for (let n = 0; n < 10; n++) {
      for (const actor of [grace, ada, scout]) {
        await server
          .as(actor)
          .post(path, { text: `I am ${actor.display_name}` })
          .expect(200)
      }
    }
    const person = await browser.comeIn(ada, '/agents')
    await person.page.goto('about:blank')
    const urls: string[] = []
    person.page.on('request', (request) => {
      if (/\/picture\?|picture\.list/.test(request.url())) urls.push(request.url())
    })
    const load = async () => {
      await person.open(`/s/${spaceId}`)
      for (const actor of [ada, scout]) await faceOf(person.history, actor).locator('img').waitFor()
    }
    await load()
    const images = urls.filter((url) => url.includes('/picture?'))
    expect(images).toHaveLength(2)
    expect(urls.length - images.length).toBeLessThanOrEqual(3)
    await load()
    const sent = await person.page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.includes('/picture?'))
        .map(({ transferSize }) => transferSize),
    )
    expect(sent).toEqual([0, 0])
  })
})
