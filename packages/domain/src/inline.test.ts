import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Inline, parseInline, wordsOf } from './inline.js'

function tagged(node: Inline): string {
  if (node.type === 'text') return node.text
  if (node.type === 'br') return '<br>'
  if (node.type === 'codespan') return `<code>${node.text}</code>`
  if (node.type === 'image') return `<img ${node.href}>${node.text}</img>`
  const words = node.tokens.map(tagged).join('')
  return node.type === 'link' ? `<a ${node.href}>${words}</a>` : `<${node.type}>${words}</${node.type}>`
}

const read = (text: string) => parseInline(text).map(tagged).join('')
const asWritten = (...texts: string[]) => texts.map((text): [string, string] => [text, text])

describe('emphasis', () => {
  it.each([
    ['*a* _b_ **c** __d__ ~~e~~', '<em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <del>e</del>'],
    ['***a** b*', '<em><strong>a</strong> b</em>'],
    ['*a **b***', '<em>a <strong>b</strong></em>'],
    ['**a*', '*<em>a</em>'],
    ['foo*bar*', 'foo<em>bar</em>'],
    ['*(*foo*)*', '<em>(<em>foo</em>)</em>'],
    ['~~a~b~~', '<del>a~b</del>'],
    ...asWritten('snake_case_x', '_a_b', '2 * 3 * 4', '* a *', 'a**"b"**c', '****', '*', '_(a)_b'),
  ])('follows CommonMark: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })

  it.each([
    ['**重要：**请注意', '<strong>重要：</strong>请注意'],
    ['请看**“注意”**这里', '请看<strong>“注意”</strong>这里'],
    ['这是*（斜体）*的字', '这是<em>（斜体）</em>的字'],
    ['これは**「重要」**です', 'これは<strong>「重要」</strong>です'],
    ['**50%**です', '<strong>50%</strong>です'],
    ['**스크립트(script)**라고', '<strong>스크립트(script)</strong>라고'],
    ['~~旧：~~新', '<del>旧：</del>新'],
    ['**สำคัญ:**โปรด', '<strong>สำคัญ:</strong>โปรด'],
    ['**葛\u{e0100}(かつ)**です', '<strong>葛\u{e0100}(かつ)</strong>です'],
    ...asWritten('请_看_一下', '** 重要：**请', '**重要： **请'),
  ])('needs no spaces in scripts that have none: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })

  it.each(asWritten('3~5天，100~200元', 'A~B~C', '~a~', '~~~a~~~', '~/x ~/y'))(
    'requires two tildes: %s',
    (text, shown) => {
      expect(read(text)).toBe(shown)
    },
  )
})

describe('code', () => {
  it.each([
    ['`a`', '<code>a</code>'],
    ['`` a ` b ``', '<code>a ` b</code>'],
    ['` `', '<code> </code>'],
    ['`a\nb`', '<code>a b</code>'],
    ['`\\`*a*', '<code>\\</code><em>a</em>'],
    ['*`a*`', '*<code>a*</code>'],
    ...asWritten('`a', '``a`'),
  ])('follows CommonMark: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })
})

describe('a backslash', () => {
  it.each(
    asWritten(
      'C:\\Users\\_temp\\.ssh',
      '\\\\server\\share',
      '\\\\server\\_share\\[x]',
      'C:\\*.txt',
      'C:\\`x',
      'C:\\<name>\\#1',
      '\\d+\\.\\d*',
      '\\[ x \\]',
      '1\\. a',
      '\\- a',
      '\\> a',
      'a \\# b',
      '2 \\* 3',
      'snake\\_case',
      'a\\|b',
      '\\',
      '\\@Grace',
      '\\\\',
    ),
  )('is shown before a character that is no markup here: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })

  it('is shown at the end of a line', () => {
    expect(read('cd C:\\Temp\\\ndir')).toBe('cd C:\\Temp\\<br>dir')
  })

  it.each([
    ['\\*a*', '*a*'],
    ['\\*a\\*', '*a*'],
    ['*a\\*', '*a*'],
    ['\\*\\*a\\*\\*', '**a**'],
    ['\\_\\_init\\_\\_', '__init__'],
    ['\\`a`', '`a`'],
    ['\\`a\\`', '`a`'],
    ['\\[a](b)', '[a](b)'],
    ['\\[a\\](b)', '[a](b)'],
    ['[a\\](b)', '[a](b)'],
    ['!\\[a](b)', '![a](b)'],
    ['\\<https://a.example>', '<<a https://a.example>https://a.example</a>>'],
    ['\\# a', '# a'],
    ['\\* a', '* a'],
    ['\\***', '***'],
    ['\\```', '```'],
    ['\\[ ] a', '[ ] a'],
    ['a\n\\# b', 'a<br># b'],
    ['\\\\*a*', '\\<em>a</em>'],
    ['\\\\\\*a*', '\\*a*'],
    ['*a* C:\\_b', '<em>a</em> C:\\_b'],
  ])('escapes markup: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })
})

describe('a link', () => {
  it.each([
    ['[a *b*](c)', '<a c>a <em>b</em></a>'],
    ['[a](<b c> "t")', '<a b c>a</a>'],
    ['[a](b(c)d)', '<a b(c)d>a</a>'],
    ['[a](b\\)c)', '<a b)c>a</a>'],
    ['[a [b](c) d](e)', '[a <a c>b</a> d](e)'],
    ['[](a)', '<a a></a>'],
    ['![a *b*](c)', '<img c>a b</img>'],
    ['[![a](b)](c)', '<a c><img b>a</img></a>'],
    ['[https://a.example](https://b.example)', '<a https://b.example>https://a.example</a>'],
    ['*[a*](b)', '*<a b>a*</a>'],
    ['[`](b)`', '[<code>](b)</code>'],
    ...asWritten('[a](b c)', '[ERROR]: timeout', '[a][b]', '[a]', '[^1]', '](a)', '<b>a</b>', '&amp;'),
  ])('follows CommonMark: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })

  const LINK = '<a https://a.example/b>https://a.example/b</a>'
  it.each([
    ['见 https://a.example/b。谢谢', `见 ${LINK}。谢谢`],
    ['（https://a.example/b）です', `（${LINK}）です`],
    ['“https://a.example/b”', `“${LINK}”`],
    ['看https://a.example/b，', `看${LINK}，`],
    ['https://a.example/b……', `${LINK}……`],
    ['https://a.example/b؟', `${LINK}؟`],
    ['https://a.example/b।', `${LINK}।`],
    ['https://a.example/b！！', `${LINK}！！`],
    ['**https://a.example/b**', `<strong>${LINK}</strong>`],
    ['(https://a.example/b).', `(${LINK}).`],
    ['[x https://a.example/b]', `[x ${LINK}]`],
    ['https://a.example/b&quot;', `${LINK}&quot;`],
    ['<https://a.example/b>', LINK],
    ['https://a.example谢谢', '<a https://a.example>https://a.example</a>谢谢'],
    ['https://a.example/佐々木', '<a https://a.example/佐々木>https://a.example/佐々木</a>'],
    ['https://例え.example/', '<a https://例え.example/>https://例え.example/</a>'],
    ['https://a.example/(b)', '<a https://a.example/(b)>https://a.example/(b)</a>'],
    ['https://a.example/?b[]=1', '<a https://a.example/?b[]=1>https://a.example/?b[]=1</a>'],
    ['https://a.example/_b_', '<a https://a.example/_b>https://a.example/_b</a>_'],
    ['www.a.example, b', '<a http://www.a.example>www.a.example</a>, b'],
    ['jo@a.example.', '<a mailto:jo@a.example>jo@a.example</a>.'],
    ['<jo@a.example>', '<a mailto:jo@a.example>jo@a.example</a>'],
    ...asWritten('https://', 'foohttps://a', 'a@b', '@grace/core@1.2.0', '<a b>'),
  ])('is detected without markup: %s', (text, shown) => {
    expect(read(text)).toBe(shown)
  })
})

describe('a parsed text', () => {
  it('has a break at the end of each line', () => {
    expect(read('a  \n b\nc')).toBe('a<br>b<br>c')
  })

  const pieces = fc.constantFrom(
    ...['*', '**', '_', '~~', '`', '[', ']', '(', ')', '](a)', '!', '<', '>', '\\', '\n', ' ', 'a', '请', '。'],
    ...['https://a.b', 'a@b.ef', '#', '"'],
  )

  it('is complete, and each node has its position', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 15 }), (parts) => {
        const text = parts.join('')
        let end = 0
        for (const node of parseInline(text)) {
          expect(node.from).toBeGreaterThanOrEqual(end)
          expect(text.slice(end, node.from)).toMatch(/^\\*$/)
          if (node.type === 'text' && !text.includes('\\')) expect(text.slice(node.from, node.to)).toBe(node.text)
          end = node.to
        }
        expect(end).toBe(text.length)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ...[
      '*',
      '_',
      '**a ',
      '*a **b ',
      'a**',
      '`',
      '``` ',
      '[',
      '](',
      '![',
      '[a](b)',
      '](a "',
      '](<',
      '<a:',
      'a@',
      'a@b.',
    ],
    ...[
      'a.b@c.de ',
      '\\*',
      '\\`',
      '\\\\*',
      '\\[',
      '~~a',
      'https://a',
      'https://a.b/)',
      '[![',
      '[a]( ',
      '&a;',
      '。',
      '!!',
    ],
  ])('of %j takes linear time', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    // A quadratic parser would exceed the timeout.
    for (const long of [text, `https://a.example/${text} b`, `[a${text}](b)`]) {
      expect(parseInline(long).at(-1)?.to).toBe(long.length)
    }
  })

  it('may be nested thousands of levels deep', () => {
    const text = `${'*a **b '.repeat(5_000)}${'c** d* '.repeat(5_000)}`
    expect(parseInline(text).map(wordsOf).join('')).toContain('a')
  })
})
