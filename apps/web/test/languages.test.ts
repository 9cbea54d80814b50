import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { check } from './support/axe.js'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { useViews, VIEWS_SETTINGS } from './support/views.js'

const LANGUAGE_KEY = 'spaces.language'

describeInBrowser('the languages of the page', () => {
  const server = useProgram(VIEWS_SETTINGS)
  const browser = useBrowser(server)
  const { ada, grace, kay } = useViews(server)

  it("opens in the browser's language, and changes in the menu without losing a draft", async () => {
    const actor = await server.registerHuman('Lin')
    const path = await server.openSpace(actor)
    await server.as(actor).post(`${path}/join`).expect(200)
    const { page, context } = await browser.person({ locale: 'de-AT' })
    await page.goto(`${server.url}/s/${spaceIdOf(path)}`)
    await page.getByLabel('API-Schlüssel oder Token').fill(actor.api_key)
    await page.getByRole('button', { name: 'Anmelden' }).last().click()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('textbox', { name: /^Nachricht an/ }).fill('not yet sent')

    await page.getByRole('button', { name: 'Konto: Lin' }).click()
    await page.getByRole('menuitemradio', { name: 'العربية' }).click()
    const field = page.getByRole('textbox', { name: /^رسالة إلى/ })
    await expect.poll(() => field.inputValue()).toBe('not yet sent')
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    const navigation = await page.getByRole('navigation', { name: 'التنقل الرئيسي' }).boundingBox()
    expect(navigation?.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 2)

    await field.press('Enter')
    await page.getByRole('log').getByText('not yet sent').waitFor()
    // The other tabs of this browser open in it, too.
    const other = await context.newPage()
    await other.goto(server.url)
    await expect.poll(() => other.locator('html').getAttribute('lang')).toBe('ar')
  })

  it('translates the refusals of the server', async () => {
    const one = await browser.comeIn(ada.actor(), '/')
    for (const [language, refusal] of [
      ['de', 'Nicht gefunden'],
      ['ar', 'غير موجود'],
    ] as const) {
      await one.page.evaluate(([key, value]) => localStorage.setItem(key, value), [LANGUAGE_KEY, language] as const)
      await one.open('/s/nowhere')
      await one.page.getByText(refusal).waitFor()
    }
  })

  it('loads the texts of one language, beside the app', async () => {
    const { page } = await browser.person({ locale: 'de' })
    await page.goto(server.url)
    await page.getByLabel('API-Schlüssel oder Token').waitFor()
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
    )
    const texts = loaded.filter(({ name }) => /\/(?:en|de|ar)-[^/]*\.js$/.test(name))
    expect(texts.map(({ name }) => /\/(\w\w)-/.exec(name)?.[1])).toEqual(['de'])
  })

  describe.each(['de', 'ar'])('%s', (language) => {
    it.each([
      ['an account', ada],
      ['the admin of a tenant', grace],
      ['a newcomer', kay],
    ])(
      'fits a phone in every view of %s, and truncates texts at their end',
      async (_who, { actor, pages, dialogs }) => {
        const one = await browser.comeIn(actor(), '/', { locale: language, viewport: { width: 390, height: 844 } })
        const wider: string[] = []
        const misdirected = new Set<string>()
        for (const [name, path] of [...pages, ...dialogs]) {
          await one.go(path())
          await isComplete(one)
          if (await one.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) wider.push(name)
          for (const text of await misdirectedTexts(one)) misdirected.add(text)
        }
        expect({ wider, misdirected: [...misdirected] }).toEqual({ wider: [], misdirected: [] })
      },
    )
  })

  it('passes axe from right to left', async () => {
    const one = await browser.comeIn(ada.actor(), '/', { locale: 'ar' })
    for (const path of ['/', '/s/plans', '/inbox', '/credentials']) {
      await one.go(path)
      await isComplete(one)
      await check(one, path)
    }
  })
})

/** Waits until a view has loaded, in any language. */
async function isComplete({ page }: Person): Promise<void> {
  await page.locator('main, [role="dialog"]').first().waitFor()
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
}

/** Returns the texts that lose their first letter where their box is too narrow. */
const misdirectedTexts = ({ page }: Person) =>
  page.evaluate(() => {
    const isTruncated = (element: Element) => getComputedStyle(element).textOverflow === 'ellipsis'
    return [...document.querySelectorAll<HTMLElement>('body :not(select)')].filter(isTruncated).flatMap((element) => {
      if ([...element.querySelectorAll('*')].some(isTruncated)) return []
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const text = texts.nextNode()
      if (!text?.nodeValue?.trim() || element.clientWidth === 0) return []
      element.style.minWidth = '0'
      element.style.maxWidth = '2em'
      const range = document.createRange()
      range.setStart(text, 0)
      range.setEnd(text, 1)
      const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
      const middle = (letter.left + letter.right) / 2
      const isLost = element.scrollWidth > element.clientWidth && (middle < box.left || middle > box.right)
      element.style.minWidth = ''
      element.style.maxWidth = ''
      return isLost ? [`${element.className}: ${element.textContent}`] : []
    })
  })
