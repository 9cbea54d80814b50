import { character, word } from '@collab-spaces/testing/history'
import type { Measure, Row } from '../row.js'
import { BIG, ELSEWHERE, LINKED } from '../service/archive.js'
import { wrk } from '../tools/wrk.js'
import { fetchAll } from '../workload/request.js'

/** The number of different queries of each kind. */
const VARIANTS = 20

const inBig = `space_id=${BIG}`

type Query = (variant: number) => string
type Queries = Readonly<Record<string, Query>>

const find =
  (parameters: string, query: Query): Query =>
  (variant) =>
    `/api/search?${parameters}&q=${encodeURIComponent(query(variant))}`

const around =
  (rank: number): Query =>
  (variant) =>
    word(rank + variant)

const pair =
  (one: number, other: number): Query =>
  (variant) =>
    `${word(one + variant)} ${word(other + variant)}`

const WORDS: Queries = {
  ...Object.fromEntries(
    [1, 30, 100, 300, 1_000, 3_000, 10_000, 29_000].map((rank) => [`rank ${rank}`, find(inBig, around(rank))]),
  ),
  'absent here, common elsewhere': find(inBig, () => ELSEWHERE),
  'absent everywhere': find(inBig, () => 'qqqqqq'),
}

const WORDS_IN_ALL: Queries = {
  ...Object.fromEntries([1, 100, 1_000, 10_000].map((rank) => [`joined spaces, rank ${rank}`, find('', around(rank))])),
  'joined spaces, absent here': find('', () => ELSEWHERE),
}

/** Phrases and character sequences. The index finds texts that contain their parts; each match is checked. */
const NEIGHBOURS: Queries = {
  phrase: find(inBig, (variant) => `"${word(1 + (variant % 3))} ${word(2 + (variant % 5))}"`),
  'phrase of middling words': find(inBig, (variant) => `"${word(100 + variant)} ${word(90 + variant)}"`),
  'three Chinese characters': find(inBig, () => character(1) + character(2) + character(1)),
}

const OTHERS: Queries = {
  'no search, only its caller': () => '/api/actors/me',
  'two common words': find(inBig, pair(1, 30)),
  'two middling words': find(inBig, pair(300, 400)),
  'a common word without another': find(inBig, (variant) => `${word(1 + variant)} -${word(100 + variant)}`),
  'one Chinese character': find(inBig, (variant) => character(1 + variant)),
  'one rare Chinese character': find(inBig, (variant) => character(380 + variant)),
  'rank 300, 100 matches': find(`limit=100&${inBig}`, around(300)),
  'linked spaces, rank 1': find(`linked_to=${LINKED}`, around(1)),
  'linked spaces, rank 1000': find(`linked_to=${LINKED}`, around(1_000)),
  'linked spaces, absent here': find(`linked_to=${LINKED}`, () => ELSEWHERE),
  'relevance, rank 1000': find(`sort=relevance&${inBig}`, around(1_000)),
  'relevance, rank 100': find(`sort=relevance&${inBig}`, around(100)),
  'relevance, rank 1': find(`sort=relevance&${inBig}`, around(1)),
}

export const search: Row = {
  name: 'search',
  title: 'search in a tenant of 1,000,000 events',
  about:
    'GET /api/search in the big space and in all 51 of its tenant, one connection: the worst p99 among words of each ' +
    'frequency and absent ones, and among phrases and runs of Chinese characters. Also, without a claim, several words, ' +
    'single characters, linked spaces, order by relevance, and for comparison a request that only finds its caller.',
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
    {
      measured: 'phrases and runs of three Chinese characters, p99',
      side: Object.keys(NEIGHBOURS),
      figure: 'p99',
      bound: 'at most',
      unit: 'ms',
      must: 30,
      aim: 15,
    },
  ],
  async service({ sizes, archive }) {
    const { service, human } = await archive()
    const { url, directory } = service
    const searching = async (query: Query): Promise<Measure> => {
      const requests = Array.from({ length: VARIANTS }, (_, variant) => ({
        path: query(variant),
        headers: { Authorization: `Bearer ${human.key}` },
      }))
      await fetchAll(url, requests)
      return () => wrk({ url, requests, connections: 1, seconds: sizes.secondsOfOne, directory })
    }
    const queries = [WORDS, WORDS_IN_ALL, NEIGHBOURS, OTHERS].flatMap((kinds) =>
      Object.entries(kinds).slice(0, sizes.searchesPerClaim),
    )
    const measures: Record<string, Measure> = {}
    for (const [name, query] of queries) measures[name] = await searching(query)
    return { measures }
  },
}
