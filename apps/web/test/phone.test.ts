import { type Actor, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

const TOUCH = { hasTouch: true, isMobile: true }
const PHONE = { width: 390, height: 844 }
/** What is left above a keyboard. */
const TYPING = { width: 390, height: 500 }
/** A phone on its side, narrow enough for the navigation to open over the page. */
const ASIDE = { width: 812, height: 375 }
/** What its camera and its corners cover, in pixels. */
const INSETS = { left: 47, right: 47, bottom: 21 }

describeInBrowser('the page on a phone', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor

  beforeAll(async () => {
    ada = await server.registerHuman('Ada')
    const api = server.as(ada)
    for (let n = 0; n < 25; n++) {
      await api.post('/api/spaces', { space_id: `space-${n}` }).expect(200)
      await api.post(`/api/spaces/space-${n}/join`).expect(200)
    }
    await api.post('/api/spaces/space-0/speech', { text: 'my own' }).expect(200)
  })

  const onPhone = (path: string, viewport = PHONE) => browser.comeIn(ada, path, { ...TOUCH, viewport })

  it('fits on the narrowest phone, with long words', async () => {
    const options = { ...TOUCH, locale: 'de-DE', viewport: { width: 320, height: 640 } }
    const one = await browser.comeIn(ada, '/', options)
    const { page } = one
    await expectWithin(page.getByRole('button', { name: 'Neuer Space' }).first())
    await one.open('/s/space-0')
    await page.getByRole('button', { name: 'Aktionen des Space' }).tap()
    await expectWithin(page.getByRole('menu'))
    await one.open('/s/space-0/decisions')
    const title = page.getByRole('heading', { level: 1, name: 'Entscheidungen' })
    await title.waitFor()
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await expectWithin(page.getByRole('button', { name: 'Vorschlagen' }).first())
    // As with text of twice the size.
    await page.setViewportSize({ width: 160, height: 320 })
    await one.open('/')
    await expectWithin(page.getByRole('button', { name: 'Neue Nachricht' }).first())
  })

  it('grows icons with the text, and keeps room for a message', async () => {
    const { page } = await onPhone('/s/space-0')
    const field = page.getByRole('textbox', { name: /^Message to/ })
    const icon = page.getByRole('button', { name: 'Space actions' }).locator('svg')
    await field.waitFor()
    const before = await icon.evaluate((svg) => svg.getBoundingClientRect().width)
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect(await icon.evaluate((svg) => svg.getBoundingClientRect().width)).toBe(2 * before)
    const width = await field.evaluate((one) => one.getBoundingClientRect().width)
    expect(width).toBeGreaterThan(150)
  })

  it('keeps the name of a space and the buttons of a decision whole, with large text', async () => {
    const api = server.as(ada)
    const proposal = { proposed_by: ada.actor_id, text: 'Sail on', assignees: [ada.actor_id] }
    await api.post('/api/spaces/space-1/decisions', proposal).expect(200)
    // As with text of twice the size.
    const one = await onPhone('/s/space-1', { width: PHONE.width / 2, height: PHONE.height / 2 })
    const title = one.page.getByRole('heading', { level: 1 }).getByText('space-1')
    await title.waitFor()
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const button = one.history.getByRole('button', { name: 'Approve' })
    await button.waitFor()
    const overflows = await button.evaluate((element) => {
      const widths: number[] = []
      for (let box = element.parentElement; box?.matches(':not([role=log])'); box = box.parentElement)
        widths.push(Math.max(0, box.scrollWidth - box.clientWidth))
      return Math.max(...widths)
    })
    expect(overflows).toBe(0)
  })

  /** Expects that an element is within the width of the window. */
  async function expectWithin(element: Locator) {
    await element.waitFor()
    const { left, right, width } = await element.evaluate((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left, right, width: window.innerWidth }
    })
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(width)
  }

  it('ends the navigation below its last space', async () => {
    const { page } = await onPhone('/')
    await page.getByRole('button', { name: 'Menu' }).tap()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'space-24' }).waitFor()
    expect(await navigation.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
  })

  it('opens the navigation from the bar at the bottom, and elsewhere from the top', async () => {
    const one = await onPhone('/')
    const { page } = one
    const opener = page.getByRole('button', { name: 'Open navigation' })
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    expect(await opener.isVisible()).toBe(false)
    await one.open('/s/nowhere')
    await page.getByText('Space not found').waitFor()
    await opener.tap()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).tap()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  })

  it('works on when it is turned with the navigation open', async () => {
    const { page } = await onPhone('/')
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('main').and(page.locator('[inert]')).waitFor({ state: 'attached' })
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    await page.getByRole('main').getByRole('button', { name: 'New space' }).first().tap()
    await page.getByRole('dialog').waitFor()
  })

  it('undoes a reply in a thread that covers the history', async () => {
    const { event_id } = await server.as(ada).post('/api/spaces/space-3/speech', { text: 'a question' }).expect(200)
    const { page } = await onPhone(`/s/space-3?thread=${event_id}`)
    const panel = page.getByRole('complementary')
    const field = panel.getByRole('textbox', { name: 'Reply in this thread' })
    await field.fill('an answer')
    await panel.getByRole('button', { name: 'Send', exact: true }).tap()
    await panel.getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(() => field.inputValue()).toBe('an answer')
  })

  it('covers the fields of a dialog by its buttons above a keyboard', async () => {
    const { page } = await onPhone('/credentials?new', TYPING)
    const dialog = page.getByRole('dialog', { name: 'New token' })
    const submit = dialog.getByRole('button', { name: 'Create token' })
    await submit.waitFor()
    const buttons = await boxOf(submit.locator('..'))
    const boxes = await dialog.getByRole('checkbox').all()
    const covered: string[] = []
    for (const box of boxes) {
      const { x, y, width, height } = await boxOf(box)
      const [left, top] = [x + width / 2, y + height / 2]
      if (top < buttons.y || top > buttons.y + buttons.height) continue
      covered.push(
        await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.tagName ?? '', [left, top] as const),
      )
    }
    expect(covered).not.toEqual([])
    expect(covered).not.toContain('INPUT')
  })

  it('has the actions of an own message in one row', async () => {
    const { page, history } = await onPhone('/s/space-0')
    const article = history.getByRole('article').filter({ hasText: 'my own' })
    await article.tap()
    const toolbar = article.getByRole('toolbar')
    await toolbar.waitFor()
    const buttons = await toolbar.getByRole('button').all()
    const tops = await Promise.all(buttons.map(async (button) => (await boxOf(button)).y))
    expect(tops.length).toBeGreaterThanOrEqual(9)
    expect(new Set(tops).size).toBe(1)
    const widths = await Promise.all(buttons.map(async (button) => (await boxOf(button)).width))
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(36)
    const { x, width } = await boxOf(toolbar)
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  })

  it("colours the system's bars by the theme of the page", async () => {
    const { page } = await onPhone('/')
    const colours = () =>
      page
        .locator('meta[name="theme-color"]')
        .evaluateAll((bars) =>
          (bars as HTMLMetaElement[]).filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
        )
    expect(await colours()).toEqual(['#f7f6f4'])
    await page.evaluate(() => localStorage.setItem('spaces.theme', 'dark'))
    await page.reload()
    await expect.poll(colours).toEqual(['#141519'])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colours()).toEqual(['#141519'])
  })

  it('covers no sent message while it can be undone', async () => {
    const { page, history } = await onPhone('/s/space-1')
    await page.getByRole('textbox', { name: /^Message to/ }).fill('short')
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    const said = history.getByRole('article').filter({ hasText: 'short' })
    const bottomOf = async (place: Locator) => {
      const { y, height } = await boxOf(place)
      return y + height
    }
    await expect.poll(async () => (await bottomOf(said)) - (await boxOf(undo.locator('..'))).y).toBeLessThanOrEqual(0)
  })

  it('starts titles of both directions at the same edge', async () => {
    await server.as(ada).patch('/api/spaces/space-2', { title: 'إطلاق الربيع' }).expect(200)
    const { page } = await onPhone('/')
    await page.getByRole('button', { name: 'Menu' }).tap()
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('list').getByRole('link')
    const startOf = async (name: string) => {
      const link = links.filter({ hasText: name })
      await link.waitFor()
      return link.locator('bdi').evaluate((words) => {
        const range = document.createRange()
        range.selectNodeContents(words)
        return Math.round(range.getBoundingClientRect().left)
      })
    }
    expect(await startOf('إطلاق الربيع')).toBe(await startOf('space-3'))
  })

  it('truncates a conversation at the end of its names, whatever the scripts of the names', async () => {
    const [long, amina] = ['Alexandra Katherine Fitzgerald-Montgomery', 'أمينة بنت عبد الرحمن بن عبد العزيز آل الشيخ']
    for (const names of [
      [long, amina],
      [amina, long],
    ]) {
      const actor_ids: string[] = []
      for (const name of names) actor_ids.push((await server.registerHuman(name)).actor_id)
      const { space_id } = await server.as(ada).post('/api/conversations', { actor_ids }).expect(200)
      const { page } = await onPhone(`/s/${space_id}`)
      for (const language of ['en', 'ar']) {
        await page.evaluate((value) => localStorage.setItem('spaces.language', value), language)
        await page.reload()
        const heading = page.getByRole('heading', { level: 1 }).locator('bdi')
        await heading.getByText('Alexandra').waitFor()
        await expectStart(heading)
        await page.getByRole('button', { name: language === 'en' ? 'Open navigation' : 'فتح قائمة التنقل' }).tap()
        await expectStart(page.getByRole('navigation').locator(`a[href="/s/${space_id}"] bdi`))
      }
    }
  })

  it.each(['ltr', 'rtl'])('keeps clear of the camera and the corners of a phone on its side, %s', async (direction) => {
    const { page, context } = await onPhone('/s/space-0', ASIDE)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: INSETS })
    await page.getByRole('log').getByText('my own').waitFor()
    await page.evaluate((dir) => {
      document.documentElement.dir = dir
    }, direction)
    await expectClear(page.getByRole('textbox', { name: /^Message to/ }))
    const opener = page.getByRole('button', { name: 'Open navigation' })
    await expectClear(opener)
    await expectClear(page.getByRole('button', { name: 'Space actions' }))
    await page.getByRole('button', { name: 'Participants' }).tap()
    const panel = page.getByRole('complementary', { name: 'Participants' })
    await expectClear(panel.getByRole('button', { name: 'Close' }))
    await panel.getByRole('button', { name: 'Close' }).tap()
    await opener.tap()
    await expectClear(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }))
  })
})

async function boxOf(place: Locator) {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}

/** Waits until a truncated text shows its first letter. */
async function expectStart(text: Locator): Promise<void> {
  await text.waitFor()
  const seen = await text.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const words = walker.nextNode()
    if (!words) return null
    const range = document.createRange()
    range.setStart(words, 0)
    range.setEnd(words, 1)
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    return {
      isCut: element.scrollWidth > element.clientWidth,
      isShown: letter.left >= box.left - 1 && letter.right <= box.right + 1,
    }
  })
  expect(seen).toEqual({ isCut: true, isShown: true })
}

/** Waits until an element is inside what the phone shows. */
async function expectClear(place: Locator): Promise<void> {
  await place.waitFor()
  const sides = async () => {
    const { x, y, width, height } = await boxOf(place)
    return {
      left: x >= INSETS.left,
      right: x + width <= ASIDE.width - INSETS.right,
      bottom: y + height <= ASIDE.height - INSETS.bottom,
    }
  }
  await expect.poll(sides).toEqual({ left: true, right: true, bottom: true })
}
