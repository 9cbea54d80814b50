import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import { expect } from 'vitest'
import type { Person } from './browser.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const PHONE = { width: 390, height: 844 }
const TABLET = { width: 820, height: 1180 }
const WIDE = { width: 1440, height: 900 }
/** Rules that axe disables by default: of WCAG 2.2 AA, and that an accessible name contains the visible label. */
const MORE_RULES = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } }

/** The rules whose result depends on colors. A color scheme changes nothing else (`color-scheme.test.ts`). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Checks a page with axe, and that it does not scroll horizontally, at each width and in each color scheme. `ready`
 * waits for the page: after `load`, the app still loads its texts and data, and an empty page fails.
 */
export async function checkAnyhow(person: Person, name: string, ready: () => Promise<unknown>): Promise<void> {
  const { page } = person
  for (const viewport of [WIDE, TABLET, PHONE]) {
    await page.setViewportSize(viewport)
    await ready()
    await person.rendered()
    const where = `${name}, ${viewport.width} pixels wide`
    await page.emulateMedia({ colorScheme: 'light' })
    await check(person, `${where}, light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await run(person, `${where}, dark`, { runOnly: { type: 'rule', values: COLOR_RULES } })
    expect(await overflow(person), where).toBe(0)
  }
}

/** Fails with a summary of axe's violations. */
export const check = (person: Person, name: string, rules: RunOptions['rules'] = {}): Promise<void> =>
  run(person, name, { rules: { ...MORE_RULES, ...rules } })

/** The content security policy forbids other scripts, so axe is injected. */
async function run({ page }: Person, name: string, options: RunOptions): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: Axe }
      return (await axe.run(document, options)).violations
    },
    // Omits passed elements from the results.
    { ...options, resultTypes: ['violations' as const] },
  )
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  expect(found, name).toEqual([])
}

interface Axe {
  run(where: Document, options: RunOptions): Promise<AxeResults>
}

/** Returns how far the page scrolls horizontally. */
const overflow = ({ page }: Person): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
