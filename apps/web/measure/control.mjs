// A baseline page on this machine: the same amount of text, scrolled in the same way, without scripts.
import { framesOf } from './frames.mjs'
import { withTasks } from './tasks.mjs'

const LINES = 3_000
const WORDS = 'and so on '

/** Returns the frames of plain lines of different heights, scrolled by a number of pixels per frame for a time. */
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
