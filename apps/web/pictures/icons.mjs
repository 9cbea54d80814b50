/** Draws the icons of the installed page from the favicon: `public/icons/`. */
import { mkdir, readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { executable } from '../stage.mjs'

const PUBLIC = new URL('../public/', import.meta.url)

/**
 * A launcher cuts a maskable icon to any shape inside a circle of 80%, and iOS rounds its own: both fill the whole
 * square, and the drawing is smaller.
 */
const ICONS = [
  { name: '192', size: 192 },
  { name: '512', size: 512 },
  { name: 'maskable-512', size: 512, inset: 4 },
  { name: 'apple-touch', size: 180, inset: 1 },
]

const favicon = await readFile(new URL('favicon.svg', PUBLIC), 'utf8')
const filled = (inset) =>
  favicon
    .replace('viewBox="0 0 32 32"', `viewBox="${-inset} ${-inset} ${32 + 2 * inset} ${32 + 2 * inset}"`)
    .replace(/<rect width="32" height="32" rx="9"/, '<rect x="-8" y="-8" width="48" height="48"')

await mkdir(new URL('icons/', PUBLIC), { recursive: true })
const browser = await chromium.launch({ executablePath: executable() })
for (const { name, size, inset } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const svg = inset === undefined ? favicon : filled(inset)
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`)
  await page.screenshot({ path: new URL(`icons/${name}.png`, PUBLIC).pathname, omitBackground: true })
}
await browser.close()
