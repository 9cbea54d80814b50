import type { ParsedSearch, Viewer } from '@collab-spaces/domain'
import type { Querier } from '../connection/long-read.js'
import { conditionOf, NO_WORDS } from './condition.js'
import { type ShownMatch, show } from './match.js'
import { canOpen, FIRST_PROBE, open, overviewOf, type Within } from './overview.js'
import { type Probe, probeAndRank, probeAndShow, type Range, type RankedMatch, type Search, STRETCH } from './probe.js'

export type SearchSort = 'newest' | 'relevance'

export interface SearchRequest extends ParsedSearch {
  /** The spaces to search, or all that the viewer has joined. */
  readonly spaceIds: Within
  readonly sort: SearchSort
  readonly limit: number
}

/**
 * Full-text search in the events of some spaces that a viewer sees. Events leave a log only together with their space, so the
 * statements of a search need no common snapshot.
 *
 * No single plan suits words of every frequency. A common word is best found by reading back from the newest event, a
 * rare one by the index. The planner does not know how frequent a word is in these spaces, so it cannot choose.
 * Instead, we read back a few events, count the matches, and estimate from them how far back the rest are and which of
 * the two ways will read fewer rows.
 */
export async function searchEvents(
  connection: Querier,
  viewer: Viewer,
  request: SearchRequest,
): Promise<readonly ShownMatch[]> {
  const { query, filter, spaceIds, sort, limit } = request
  const { tenantId } = viewer
  if (query.length === 0 && filter === null) return []
  if (sort === 'newest' && filter === null && canOpen(query)) {
    const { matches, candidates, horizon, overview } = await open(connection, viewer, query, spaceIds, limit)
    const condition = overview && conditionOf(query, overview.words)
    if (!overview || condition === null) return matches
    const search = { connection, tenantId, condition, filter, spaces: overview.spaces }
    return newest(search, limit, matches, { matches: matches.length, candidates, horizon })
  }
  const { words, spaces } = await overviewOf(connection, viewer, query, spaceIds)
  const condition = query.length === 0 ? NO_WORDS : conditionOf(query, words)
  if (condition === null || spaces.length === 0) return []
  const search = { connection, tenantId, condition, filter, spaces }
  return sort === 'newest' || condition === NO_WORDS ? newest(search, limit) : mostRelevant(search, limit)
}

/** The newest matches, as they are shown, with those of a first probe if there was one. */
async function newest(
  search: Search,
  limit: number,
  opening: readonly ShownMatch[] = [],
  first?: Probe,
): Promise<ShownMatch[]> {
  const shown = [...opening]
  let size = sizeOf(shown)
  const probe = async (range: Range, most: number) => {
    const { matches, ...rest } = await probeAndShow(search, range, most, size)
    shown.push(...matches)
    size += sizeOf(matches)
    return { ...rest, matches: matches.length }
  }
  await goBack(search, limit, probe, first)
  return shown
}

const sizeOf = (shown: readonly ShownMatch[]) => shown.reduce((sum, { size }) => sum + size, 0)

/**
 * How many of the newest matches are ranked for a search by relevance. Ranking one takes about 20 µs, and for a word in
 * every other event the best of so many are as good as the best of all.
 */
const RANKED = 5_000

/** The best of the newest matches, as they are shown; of the same rank, the newest stay first. */
async function mostRelevant(search: Search, limit: number): Promise<ShownMatch[]> {
  const ranked: RankedMatch[] = []
  await goBack(search, RANKED, async (range, most) => {
    const { best, ...rest } = await probeAndRank(search, range, most, limit)
    ranked.push(...best)
    return rest
  })
  const best = ranked.sort((a, b) => b.rank - a.rank).slice(0, limit)
  return best.length === 0 ? [] : show(search.connection, search.tenantId, search.condition, best)
}

/** How much farther than estimated a probe goes. */
const FARTHER = 1.5
/** An event from the index costs as much as so many that are read in order. */
const DEARER = 1.5

/** Looks back, beginning after a first probe, until there are as many matches as wanted, or no events left. */
async function goBack(
  { condition, filter, spaces }: Search,
  most: number,
  probe: (range: Range, most: number) => Promise<Probe>,
  first?: Probe,
): Promise<void> {
  // A probe by the index is no shorter than this, as it covers the newest stretch of every space.
  const shortest = spaces.reduce((sum, { head }) => sum + Math.min(head, STRETCH), 0)
  let length = FIRST_PROBE
  const until = filter?.before ? new Date(filter.before.getTime() - 1) : null
  let seen = first ?? (await probe({ way: 'reading', length, until }, most))
  let { matches, candidates } = seen
  const since = filter?.since ?? null
  while (matches < most && seen.horizon !== null && (since === null || seen.horizon >= since)) {
    // One more than was found, because a word that is not in these few events may still be frequent.
    const needed = Math.ceil((most / (matches + 1)) * length * FARTHER)
    const brought = (Math.max(needed, shortest) * (candidates + 1)) / length
    // Reading continues where it stopped, while the index returns whole stretches.
    const way = condition.candidates === null || needed - length < brought * DEARER ? 'reading' : 'index'
    length = way === 'reading' ? needed : Math.max(needed, shortest)
    seen = await probe({ way, length, until: earlierOf(until, seen.horizon) }, most - matches)
    matches += seen.matches
    candidates += seen.candidates
  }
}

const earlierOf = (a: Date | null, b: Date) => (a !== null && a < b ? a : b)
