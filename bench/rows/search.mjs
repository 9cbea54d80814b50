import { character, word } from '@collab-spaces/testing/history'
import { BIG, ELSEWHERE, LINKED } from '../archive.mjs'
import { answersTo, wrk } from '../wrk.mjs'

/** @import { Figures, Row } from '../row.mjs' */

/** Of each kind of search there are so many, with other words each. */
const VARIANTS = 20

const inBig = `space_id=${BIG}`

/** @typedef {(variant: number) => string} Query */

/** @param {string} scope @param {Query} query @returns {Query} */
const search = (scope, query) => (variant) => `/api/search?${scope}&q=${encodeURIComponent(query(variant))}`

/** @param {number} rank @returns {Query} */
const around = (rank) => (variant) => word(rank + variant)

/** @param {number} one @param {number} other @returns {Query} */
const pair = (one, other) => (variant) => `${word(one + variant)} ${word(other + variant)}`

/** @type {Record<string, Query>} */
const WORDS = {
  ...Object.fromEntries(
    [1, 30, 100, 300, 1_000, 3_000, 10_000, 29_000].map((rank) => [`rank ${rank}`, search(inBig, around(rank))]),
  ),
  'absent here, common elsewhere': search(inBig, () => ELSEWHERE),
  'absent everywhere': search(inBig, () => 'qqqqqq'),
}

/** @type {Record<string, Query>} */
const WORDS_IN_ALL = {
  ...Object.fromEntries(
    [1, 100, 1_000, 10_000].map((rank) => [`joined spaces, rank ${rank}`, search('', around(rank))]),
  ),
  'joined spaces, absent here': search('', () => ELSEWHERE),
}

/** @type {Record<string, Query>} */
const OTHERS = {
  'no search, only its caller': () => '/api/actors/me',
  'two common words': search(inBig, pair(1, 30)),
  'two middling words': search(inBig, pair(300, 400)),
  phrase: search(inBig, (variant) => `"${word(1 + (variant % 3))} ${word(2 + (variant % 5))}"`),
  'phrase of middling words': search(inBig, (variant) => `"${word(100 + variant)} ${word(90 + variant)}"`),
  'a common word without another': search(inBig, (variant) => `${word(1 + variant)} -${word(100 + variant)}`),
  'one Chinese character': search(inBig, (variant) => character(1 + variant)),
  'one rare Chinese character': search(inBig, (variant) => character(380 + variant)),
  'three Chinese characters': search(inBig, () => character(1) + character(2) + character(1)),
  'rank 300, 100 matches': search(`limit=100&${inBig}`, around(300)),
  'linked spaces, rank 1': search(`linked_to=${LINKED}`, around(1)),
  'linked spaces, rank 1000': search(`linked_to=${LINKED}`, around(1_000)),
  'linked spaces, absent here': search(`linked_to=${LINKED}`, () => ELSEWHERE),
  'relevance, rank 1000': search(`sort=relevance&${inBig}`, around(1_000)),
  'relevance, rank 100': search(`sort=relevance&${inBig}`, around(100)),
  'relevance, rank 1': search(`sort=relevance&${inBig}`, around(1)),
}

/** @type {Row} */
export const searches = {
  name: 'search',
  title: 'search in a tenant of 1,000,000 events',
  about:
    'GET /api/search in the big space and in all 51 of its tenant, one connection: the worst p99 among words of each ' +
    'frequency and absent ones. Also, without a claim, phrases, several words, unspaced text, linked spaces, order by ' +
    'relevance, and for comparison a request that only finds its caller.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'search p99, words of any frequency, also one that is common elsewhere and absent here',
      side: Object.keys(WORDS),
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 15,
      aim: 8,
    },
    {
      measured: 'the same over all 51 spaces',
      side: Object.keys(WORDS_IN_ALL),
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 15,
      aim: 8,
    },
  ],
  async open({ sizes, archive }) {
    const { service, human } = await archive()
    const { url, directory } = service

    const searching = async (/** @type {Query} */ query) => {
      const requests = Array.from({ length: VARIANTS }, (_, variant) => ({
        path: query(variant),
        headers: { Authorization: `Bearer ${human.key}` },
      }))
      await answersTo(url, requests)
      return () => wrk({ url, requests, connections: 1, seconds: sizes.secondsOfOne, directory })
    }
    /** @type {Record<string, () => Promise<Figures>>} */
    const sides = {}
    const kinds = Object.entries({ ...WORDS, ...WORDS_IN_ALL, ...OTHERS }).filter((_, n) => n % sizes.searchStep === 0)
    for (const [name, query] of kinds) sides[name] = await searching(query)
    return { sides }
  },
}
