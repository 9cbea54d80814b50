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

/**
 * Checks a page with axe, and that it does not scroll horizontally, at each width and in each color
 * scheme.
 */
export async function checkAnyhow(
  person: Person,
  name: string,
  ready: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { page } = person
  for (const viewport of [WIDE, TABLET, PHONE]) {
    await page.setViewportSize(viewport)
    await ready()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await check(person, `${name}, ${viewport.width} pixels wide, ${colorScheme}`)
    }
    expect(await overflow(person), `${name}, ${viewport.width} pixels wide`).toBe(0)
  }
}

/** Fails with a summary of axe's violations. The content security policy forbids other scripts, so axe is injected. */
export async function check({ page }: Person, name: string, rules: RunOptions['rules'] = {}): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(
    async (rules) => {
      const { axe } = window as unknown as { axe: Axe }
      // Omits passed elements from the results.
      return (await axe.run(document, { rules, resultTypes: ['violations'] })).violations
    },
    { ...MORE_RULES, ...rules },
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
