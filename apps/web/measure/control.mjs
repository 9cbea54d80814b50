// A page that does nothing, on this machine: as many words, scrolled in the same way, and no script besides.
import { framesOf } from './frames.mjs'
import { withTasks } from './tasks.mjs'

const LINES = 3_000
const WORDS = 'and so on '

/** The frames of plain lines of different heights, scrolled by so many pixels in each, for so long. */
export async function controlOf(browser, { viewport, pixels, most }) {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const lines = Array.from({ length: LINES }, (_, n) => `<p>number ${n}: ${WORDS.repeat((n * 7) % 60)}</p>`)
  await page.setContent(`<div id="lines" style="height: 700px; overflow: auto">${lines.join('')}</div>`)
  await page.evaluate(() => document.querySelector('#lines').scrollTo(0, 1e9))
  try {
    return await withTasks(page, () => framesOf(page, { selector: '#lines', pixels, most }))
  } finally {
    await context.close()
  }
}
