import {
  EVERY_MARK,
  FOLDED,
  INVISIBLE,
  lettersWithNumber,
  MARKED,
  SEPARATORS,
  VOWEL_MARKS,
} from '@collab-spaces/domain'

/** Words are marked in a part of a long text at a time, until there are some: it takes 0.3 ms for a thousand characters. */
const PART_LENGTH = 20_000
/** Of a part with the one before, for phrases. */
const OVERLAP = 200

const OPTIONS = `StartSel=${MARKED.from}, StopSel=${MARKED.to}, MaxWords=30, MinWords=12, ShortWord=0, MaxFragments=1`

/** Characters as regular expressions of PostgreSQL have them, so that no statement contains invisible ones. */
export const escaped = (characters: string) =>
  characters.replace(/[^ -~]/gu, (character) => `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`)

/** Roughly the scripts that are indexed by pieces. They are set apart, so that words among them are marked too. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u11ff\\u1780-\\u17ff\\u2e80-\\ua4cf\\ua960-\\ua97f\\uac00-\\ufaff\\uff66-\\uffdf'
const LEFT_OUT = escaped(INVISIBLE + VOWEL_MARKS + EVERY_MARK)
const quoted = (characters: string) => characters.replaceAll("'", "''")
const EVERY_SEPARATOR = SEPARATORS.replaceAll('\\', '')
const TRANSLATED = `'${FOLDED.from + quoted(EVERY_SEPARATOR)}', '${FOLDED.to + ' '.repeat(EVERY_SEPARATOR.length)}'`

/** The form in which a text was indexed, as far as its words depend on it: other forms are equal to the parser. */
export const wordForm = (text: string) => `
  CASE WHEN ${text} ~ '[${escaped(quoted(SEPARATORS) + FOLDED.from)}${LEFT_OUT}${UNSPACED}]|[[:alpha:]][0-9]|[0-9][[:alpha:]]' THEN
    regexp_replace(
      regexp_replace(translate(regexp_replace(${text}, '[${LEFT_OUT}]+', '', 'g'), ${TRANSLATED}),
        '[${UNSPACED}]+', '${MARKED.apart}\\&${MARKED.apart}', 'g'),
      '${lettersWithNumber('[:alpha:]')}', '\\1\\4${MARKED.apart}\\2\\5${MARKED.apart}\\3\\6', 'g')
  ELSE ${text} END`

/**
 * The words of a query, marked, with the text around them, in SQL: in a form that `snippetOf` of the domain finds in the
 * text again. Empty when there are none. `text` is a text, and `query` a tsquery.
 */
export const headline = (text: string, query: string) => `coalesce((
  SELECT headline
  FROM (SELECT ${text} AS text OFFSET 0) whole
  CROSS JOIN LATERAL generate_series(0, length(text) / ${PART_LENGTH}) AS number
  CROSS JOIN LATERAL (
    SELECT substr(text, number * ${PART_LENGTH} + 1, ${PART_LENGTH + OVERLAP}) AS part OFFSET 0
  ) parts
  CROSS JOIN LATERAL (
    SELECT ts_headline('spaces', ${wordForm('part')}, ${query}, '${OPTIONS}') AS headline OFFSET 0
  ) headlines
  WHERE strpos(headline, '${MARKED.from}') > 0 LIMIT 1
), '')`

/** How many passages of one file are parsed for their headline at most. */
const MAX_PASSAGES = 100

/**
 * The first passage of a file with a word of a query, and its headline, as a row in SQL; none without. To parse all of a
 * megabyte takes a third of a second, so passages in ASCII without the beginning of any such word are left out before.
 */
export const passageHeadline = (passages: string, query: string) => `(
  SELECT passage, headline
  FROM (
    SELECT passage FROM unnest(${passages}) WITH ORDINALITY AS p(passage, number)
    WHERE ${query} IS NOT NULL AND (passage ~ '[^\\x01-\\x7f]' OR coalesce(passage ~* (
      SELECT string_agg(left(word[1], greatest(length(word[1]) - 2, 1)), '|')
      FROM regexp_matches(${query}::text, '''([a-z0-9]+)''', 'g') AS word
    ), true))
    ORDER BY number LIMIT ${MAX_PASSAGES}
  ) parts
  CROSS JOIN LATERAL (
    SELECT ts_headline('spaces', ${wordForm('passage')}, ${query}, '${OPTIONS}') AS headline OFFSET 0
  ) headlines
  WHERE strpos(headline, '${MARKED.from}') > 0 LIMIT 1
)`
