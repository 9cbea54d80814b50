// Writes the lists of emoji of the page: what Unicode's CLDR calls each in every language, and GitHub's short names. Run
// it for a newer Unicode, on packages that the page itself does not need, after a build:
//
//   npm install --prefix FOLDER cldr-annotations-full@48.2.0 cldr-annotations-derived-full@48.2.0 gemoji@8.1.0
//   node emoji-names.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { foldName } from '@collab-spaces/client'

const LANGUAGES = ['en', 'de', 'ar']
const NAMES = join(import.meta.dirname, 'src/shared/emoji/names')

const packages = join(process.argv[2] ?? '.', 'node_modules')
const { gemoji } = await import(pathToFileURL(join(packages, 'gemoji/index.js')).href)
const annotations = (name, kind, language) =>
  JSON.parse(readFileSync(join(packages, name, kind, language, 'annotations.json'), 'utf8'))[kind].annotations

const folded = (terms) => [...new Set(terms.map(foldName).filter((term) => term !== ''))]

for (const language of LANGUAGES) {
  const known = {
    ...annotations('cldr-annotations-derived-full', 'annotationsDerived', language),
    ...annotations('cldr-annotations-full', 'annotations', language),
  }
  const lines = gemoji.map(({ emoji, names }) => {
    const { tts, default: keywords = [] } = known[emoji] ?? known[emoji.replaceAll('\u{fe0f}', '')]
    const short = language === 'en' ? names.map((name) => name.replaceAll('_', ' ')) : []
    const own = folded([tts[0], ...short])
    const words = folded(keywords).filter((word) => !own.includes(word))
    return [emoji, tts[0], own.join('|'), words.join('|')].join('\t')
  })
  writeFileSync(join(NAMES, `${language}.txt`), `${lines.join('\n')}\n`)
}
