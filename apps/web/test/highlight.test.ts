import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { common } from 'lowlight'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

/** The maximum length of a highlighted block. */
const LENGTH = 20_000
/** Tokens that grammars look for: brackets, quotes, comments, tags, and words. */
const PIECES = [
  '{',
  '(',
  '[',
  '<a ',
  '"',
  "'",
  '`',
  '/*',
  '<!--',
  '$(',
  '#{',
  '@a ',
  'a=',
  'if ',
  '::',
  '<<A ',
  '\\',
  '%w',
]

/** Returns a block with thousands of unclosed constructs. */
const NASTY = PIECES.map((piece) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH))

const fenced = (language: string, text: string) => `~~~~~~~~${language}\n${text}\n~~~~~~~~`

describeInBrowser('code', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('shows immediately, and is highlighted by a worker without a layout shift', async () => {
    const { ada, path } = await server.adasSpace()
    const text = 'const answer = 42 // the answer'
    await server
      .as(ada)
      .post(`${path}/speech`, { text: fenced('js', text) })
      .expect(200)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    const code = page.getByRole('log').locator('pre', { hasText: text })
    await code.waitFor()
    const before = await code.boundingBox()
    await code.locator('span').first().waitFor()
    expect(await code.textContent()).toBe(text)
    expect(await code.boundingBox()).toEqual(before)
    expect(page.workers().map((worker) => worker.url())).toEqual([expect.stringContaining('/assets/highlight.worker')])
  })

  it('of 20,000 characters never blocks the page, in any language', async () => {
    const { ada, path } = await server.adasSpace()
    const say = (text: string) => server.as(ada).post(`${path}/speech`, { text }).expect(200)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    const log = page.getByRole('log')
    for (const language of Object.keys(common)) {
      for (const nasty of NASTY) await say(fenced(language, nasty))
      await say(`That was ${language}.`)
      await log.getByText(`That was ${language}.`, { exact: true }).waitFor()
    }
    await say(fenced('js', 'const answer = 42'))
    await log.locator('pre', { hasText: 'const answer' }).locator('span').first().waitFor()
  })
})
