import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Markdown } from './Markdown'

vi.stubGlobal('window', { location: { origin: 'https://spaces.example' } })

/** Returns the elements of a text, without common attributes. */
const shown = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text }))
    .replace(/^<div[^>]*>|<\/div>$/g, '')
    .replace(/ (?:class|dir|target|rel|title)="[^"]*"/g, '')

const link = (address: string, words = address) => `<a href="${address}">${words}</a>`

describe('a message', () => {
  it.each([
    ['[ERROR]: timeout', '<p>[ERROR]: timeout</p>'],
    ['[abc]: https://a.example/b', `<p>[abc]: ${link('https://a.example/b')}</p>`],
    ['a\n\n[b]: c "d"', '<p>a</p><p>[b]: c &quot;d&quot;</p>'],
    ['> [WARN]: low', '<blockquote><p>[WARN]: low</p></blockquote>'],
    ['- [WARN]: low', '<ul><li>[WARN]: low</li></ul>'],
    ['<details>', '<p>&lt;details&gt;</p>'],
    ['#', '<p>#</p>'],
    ['>', '<p>&gt;</p>'],
    ['- >', '<p>- &gt;</p>'],
    ['```\n```', '<p>```\n```</p>'],
    ['a [](https://a.example/b)', `<p>a ${link('https://a.example/b')}</p>`],
    ['![](https://a.example/b)', `<p>${link('https://a.example/b')}</p>`],
  ])('renders as text what would show nothing: %s', (text, elements) => {
    expect(shown(text)).toBe(elements)
  })

  it.each([
    ['见 https://a.example/b。谢谢', `<p>见 ${link('https://a.example/b')}。谢谢</p>`],
    ['（https://a.example/b）です', `<p>（${link('https://a.example/b')}）です</p>`],
    ['3~5天，100~200元', '<p>3~5天，100~200元</p>'],
    ['~~a~~', '<p><del>a</del></p>'],
    ['**重要：**请注意', '<p><strong>重要：</strong>请注意</p>'],
    ['- **重要：**请', '<ul><li><strong>重要：</strong>请</li></ul>'],
    ['# **重要：**请', '<p data-depth="1"><strong>重要：</strong>请</p>'],
    ['C:\\Users\\_temp\\.ssh', '<p>C:\\Users\\_temp\\.ssh</p>'],
    ['\\\\server\\share', '<p>\\\\server\\share</p>'],
    ['\\*a\\*', '<p>*a*</p>'],
    ['1920x1080 DC->hi', '<p>1920x1080 DC-&gt;hi</p>'],
  ])('renders within a line as the server reads it: %s', (text, elements) => {
    expect(shown(text)).toBe(elements)
  })

  it('unescapes cell borders in a table only', () => {
    expect(shown('| a \\| b |\n|---|\n| `c \\| d` |')).toContain('<th>a | b</th>')
    expect(shown('a \\| b')).toBe('<p>a \\| b</p>')
  })

  it.each([
    ['0. zero', '<ol start="0"><li>zero</li></ol>'],
    ['7) seven\n8) eight', '<ol start="7"><li>seven</li><li>eight</li></ol>'],
  ])('numbers a list from its first number: %s', (text, elements) => {
    expect(shown(text)).toBe(elements)
  })

  it('renders nested tasks', () => {
    const box = (label: string, checked = '') =>
      `<input type="checkbox" readOnly="" disabled="" aria-label="${label}"${checked}/>`
    const elements = shown('- [ ] one **two**\n  - [x] three')
    expect(elements).toBe(
      `<ul><li data-task="true">${box('one two')}one <strong>two</strong>` +
        `<ul><li data-task="true">${box('three', ' checked=""')}three</li></ul></li></ul>`,
    )
  })
})
