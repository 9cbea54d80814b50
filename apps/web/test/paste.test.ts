import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

/** HTML and its Markdown; null where the plain text is pasted. */
type Cases = Readonly<Record<string, string | null>>

const WEB_PAGES: Cases = {
  '<p>a <b>bold</b>, <i>italic</i> and <s>old</s> word</p>': 'a **bold**, *italic* and ~~old~~ word',
  '<b>spaced </b>out': '**spaced** out',
  '<p>run <code>a `b`</code></p>': 'run `` a `b` ``',
  '<h2>Plan</h2><p>one<br>two</p><p>three</p>': '## Plan\n\none\ntwo\n\nthree',
  '<p><a href="https://a.example/b_(c)">the page</a></p>': '[the page](https://a.example/b_%28c%29)',
  '<a href="https://a.example/">https://a.example/</a>': 'https://a.example/',
  '<b>a</b> <a href="javascript:alert(1)">link</a>': '**a** link',
  '<b>a</b> 2 * 3, *b*': '**a** 2 * 3, \\*b\\*',
  '<blockquote><p>one</p><p>two</p></blockquote>': '> one\n> \n> two',
  '<pre class="language-ts"><code>const a = 1\n```\n</code></pre>': '````ts\nconst a = 1\n```\n````',
  '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>': '- a\n- b\n  - c',
  '<ol start="9"><li>a</li><li>b<ul><li>c</li></ul></li></ol>': '9. a\n10. b\n    - c',
  '<ul><li><p>a</p></li><li><p>b</p></li></ul>': '- a\n- b',
  '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>':
    '- [x] done\n- [ ] open',
  '<hr><p>after</p>': '---\n\nafter',
  '<b onclick="alert(1)">a</b><script>alert(2)</script><style>b{}</style><img src="/1.gif" onerror="alert(3)">':
    '**a**',
  '<table><tr><td><table><tr><td>Hello</td></tr><tr><td><b>Ada</b></td></tr></table></td></tr></table>':
    'Hello\n\n**Ada**',
}

const WORD = (marker: string, level: number, text: string) =>
  `<p class="MsoListParagraph" style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${marker}</span>${text}</p>`

const PROGRAMS: Cases = {
  // Google Docs.
  [`<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700;font-style:normal">Bold</span><span
    style="font-weight:400;font-style:italic"> slanted</span></p><ul><li aria-level="1"><p><span>a</span></p></li><ul><li
    aria-level="2"><p><span>b</span></p></li></ul></ul></b>`]: '**Bold** *slanted*\n\n- a\n  - b',
  // Slack.
  [`<b data-stringify-type="bold">Hi</b> <img alt=":tada:" src="https://a.example/e.png"><span
    data-stringify-type="paragraph-break"></span><ul data-indent="0"><li>a</li></ul><ul data-indent="1"><li>b</li></ul><ul
    data-indent="0"><li>c</li></ul>`]: '**Hi** :tada:\n\n- a\n  - b\n- c',
  // Word.
  [`<style>p{}</style><p class="MsoNormal"><span style="font-weight:bold">Plan<o:p></o:p></span></p>${[
    WORD('1.<span>&nbsp;</span>', 1, 'a'),
    WORD('·', 2, 'b'),
    WORD('2.', 1, 'c'),
  ].join('\n')}`]: '**Plan**\n\n1. a\n   - b\n2. c',
  // Word for the web.
  [`<div class="ListContainerWrapper"><ul><li data-aria-level="1"><p>a</p></li></ul></div><div
    class="ListContainerWrapper"><ul><li data-aria-level="2"><p>b</p></li></ul></div>`]: '- a\n  - b',
  // Excel.
  '<table><tr><td>Name</td><td>Cost | net</td></tr><tr><td>Train</td><td>1&nbsp;€</td></tr><tr><td></td><td></td></tr></table>':
    '| Name | Cost \\| net |\n| --- | --- |\n| Train | 1 € |',
}

const PLAIN: Cases = {
  '<meta><span style="color: red">just words</span>': null,
  '<p>one</p><p>two</p>': null,
  '<table><tr><td>1</td><td>2</td></tr></table>': null,
  // An editor of code.
  '<div style="font-family: Menlo, monospace; white-space: pre;"><div><b>const</b> a = <span>1</span></div></div>':
    null,
  [`<b>${'long '.repeat(200_001)}</b>`]: null,
}

const HOSTILE = [
  '<a'.repeat(450_000),
  `<b>a</b>${'\u00a0'.repeat(900_000)}b`,
  `<pre>a${' '.repeat(900_000)}b</pre>`,
  `<ul><li><pre>a${'\n'.repeat(900_000)}b</pre></li></ul>`,
  `<b>a</b>${'*'.repeat(900_000)}`,
  `<b>a</b>${'[a]('.repeat(200_000)}`,
  '<ul><li>'.repeat(100_000),
  `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(30_000)}</table>`,
]

describeInBrowser('pasted rich text', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('is converted in limited time, even if it is hostile', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    await page.getByRole('button', { name: 'Formatting' }).waitFor()
    const field = page.getByRole('textbox', { name: /^Message to/ })
    const times = await field.evaluate((element, hostile) => {
      return hostile.map((html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        clipboardData.setData('text/plain', 'plain')
        const start = performance.now()
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        // Writing to the field is not part of the conversion.
        element.addEventListener('beforeinput', (input) => input.preventDefault(), { once: true })
        element.dispatchEvent(event)
        return performance.now() - start
      })
    }, HOSTILE)
    expect(Math.max(...times)).toBeLessThan(20_000)
  })

  it.each([
    ['from web pages', WEB_PAGES],
    ['from other programs', PROGRAMS],
    ['without formatting', PLAIN],
  ])('%s becomes Markdown or plain text', async (_, cases) => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    await page.getByRole('button', { name: 'Formatting' }).waitFor()
    const pasted = await page.getByRole('textbox', { name: /^Message to/ }).evaluate((element, all) => {
      const field = element as HTMLTextAreaElement
      return all.map((html) => {
        field.select()
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        clipboardData.setData('text/plain', 'plain')
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        return field.dispatchEvent(event) ? null : field.value
      })
    }, Object.keys(cases))
    expect(Object.fromEntries(Object.keys(cases).map((html, at) => [html, pasted[at]]))).toEqual(cases)
  })
})
