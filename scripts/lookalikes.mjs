// Reduces Unicode's confusables.txt (UTS 39, https://www.unicode.org/Public/security/) to what the comparison of names
// needs, and prints it for packages/domain/src/lookalike.ts and for `folded_name` in the migration:
//
//     node scripts/lookalikes.mjs confusables.txt
import { readFileSync } from 'node:fs'

const [file] = process.argv.slice(2)
const textOf = (points) =>
  String.fromCodePoint(
    ...points
      .trim()
      .split(' ')
      .map((point) => Number.parseInt(point, 16)),
  )

const prototypes = new Map()
for (const line of readFileSync(file, 'utf8').replace('\ufeff', '').split('\n')) {
  const [source, target] = line.replace(/#.*/, '').split(';')
  if (target) prototypes.set(textOf(source), textOf(target))
}

/** Pairs of letters that look like one letter, in the form of lookalike.ts. */
const PAIRS = { rn: 'm', ae: 'æ', oe: 'œ', oo: 'ꝏ', dz: 'ʣ', ts: 'ʦ', lo: 'ю', bl: 'ы' }

/** Small letters of Cyrillic and others that look like these are taken for the letters that they mostly stand for. */
const SMALL_CAPITALS = Object.fromEntries(
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪl ᴊj ᴋk ĸk ʟl ᴍm ʍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz'.split(' ').map((pair) => [...pair]),
)

/** The characters that are removed from a name before the translation. */
const LEFT_OUT =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is left out by itself
  /[\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu

const once = (text) =>
  [...text]
    .map((character) => prototypes.get(character) ?? character)
    .join('')
    .normalize('NFKD')
    .replace(LEFT_OUT, '')

function formOf(text) {
  let form = text
  for (let round = 0; round < 8; round++) form = once(form).toLowerCase()
  form = [...form].map((letter) => SMALL_CAPITALS[letter] ?? letter).join('')
  return PAIRS[form] ?? form.replace('i', 'l')
}

const canonical = new Set(Object.values(PAIRS))
const found = [...new Set([...prototypes.keys(), ...Object.keys(SMALL_CAPITALS), 'i', 'ς'])]
  .filter((character) => [...character].length === 1 && character.normalize('NFKD') === character)
  .filter((character) => /[\p{L}\p{N}|]/u.test(character) && !canonical.has(character))
  .map((character) => [character, character === 'ς' ? formOf('σ') : formOf(character)])
  .filter(([from, to]) => [...to].length === 1 && /[\p{L}\p{N}]/u.test(to) && to !== from.toLowerCase())
  .sort(([a], [b]) => a.codePointAt(0) - b.codePointAt(0))

/** Right-to-left characters would reverse the line. */
const escaped = (text) =>
  text.replace(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu, (character) => {
    const point = character.codePointAt(0)
    return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
  })

const LINE = 80
const linesOf = (characters) =>
  Array.from({ length: Math.ceil(characters.length / LINE) }, (_, at) =>
    escaped(characters.slice(at * LINE, (at + 1) * LINE).join('')),
  )

for (const [name, side] of [
  ['LOOKALIKES', 0],
  ['LETTERS', 1],
]) {
  const lines = linesOf(found.map((pair) => pair[side]))
  process.stdout.write(`const ${name} =\n${lines.map((line) => `  '${line}'`).join(' +\n')}\n\n`)
  const sql = lines.map((line) => line.replace(/\\u\{(\w+)\}/g, (_, hex) => `\\U${hex.padStart(8, '0')}`))
  process.stdout.write(`${sql.map((line) => `      E'${line}'`).join(' ||\n')},\n\n`)
}
