import { findMentions, NameIndex } from '@collab-spaces/client'
import { MEMBERS, MENTION_CASES } from '@collab-spaces/domain/mention-cases'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Markdown } from './Markdown'

vi.stubGlobal('window', { location: { origin: 'https://spaces.example' } })

const members = MEMBERS.map((name) => ({ id: name, name }))
const names = new NameIndex().add(members)

/** Returns the members whose mentions are highlighted. */
function standingOut(text: string): readonly string[] {
  const page = renderToStaticMarkup(createElement(Markdown, { text, mentioned: members }))
  const shown = [...page.matchAll(/<bdi[^>]*>(.*?)<\/bdi>/gs)].map(([, mention = '']) => mention)
  const readable = shown.map((mention) => mention.replaceAll('&#x27;', "'"))
  return [...new Set(readable.flatMap((mention) => findMentions(mention, names)[0]?.people[0]?.name ?? []))]
}

describe('highlighted mentions', () => {
  it.each(MENTION_CASES)('$text', ({ text, mentions }) => {
    expect(standingOut(text)).toEqual(mentions)
  })

  // Some deviations of the page's parser from CommonMark are not covered: tables of one line, and bare markers.
  const piece = fc.constantFrom(
    ...[
      '@Grace',
      '@Grace',
      '@Grace',
      ' ',
      '\n',
      '\n\n',
      'a',
      '看',
      '`',
      '``',
      '```\n',
      '~~~\n',
      '> ',
      '- ',
      '1. ',
      '2) ',
    ],
    ...[
      '    ',
      '\t',
      '# ',
      '*',
      '**',
      '_',
      '~~',
      '[',
      '](',
      ')',
      '](x)',
      '<',
      '>',
      '\\',
      '!',
      'https://a.example/',
      '。',
    ],
  )

  it("match the server's", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        const found = findMentions(text, names).flatMap(({ people }) => people.map(({ name }) => name))
        expect(standingOut(text)).toEqual([...new Set(found)])
      }),
      { numRuns: 1_500, seed: 1 },
    )
  })
})
