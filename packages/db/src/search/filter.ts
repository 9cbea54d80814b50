import type { SearchFilter } from '@collab-spaces/domain'
import { SHOWN_NAME } from '../access/shown-name.js'

/** Adds a value of a statement, and returns its parameter. */
type Add = (value: unknown, type: string) => string

/** A text in SQL as ILIKE compares it, which ignores case: without accents. */
export const unaccented = (text: string) => `regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]+', '', 'g')`

/** Returns a part of such a text. */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]+/g, '')

/** Patterns of names that are a wanted one, or have it as a word. */
function patternsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const word = withoutAccents(name).replace(/[\\%_]/g, '\\$&')
    return [word, `${word} %`, `% ${word}`, `% ${word} %`]
  })
}

/** The IDs of the members, also of former ones, that names or IDs stand for, in SQL: an array. */
const actorsNamed = (ids: string, patterns: string) => `ARRAY(
  SELECT m.actor_id FROM memberships m JOIN actors a USING (actor_id)
  WHERE m.tenant_id = $1 AND (m.actor_id = ANY (${ids}) OR ${unaccented(SHOWN_NAME)} ILIKE ANY (${patterns})))`

/**
 * Returns the conditions of a filter on an event `e` in SQL; null without one. An attributed event is from the speaker
 * that its poster named. `before` and `in` are applied by the search itself.
 */
export function eventFilter(filter: SearchFilter | null, add: Add): string | null {
  if (filter === null) return null
  const { from, since, hasFile, isInThread } = filter
  const conditions = ['true']
  if (from.length > 0) {
    const [ids, patterns] = [add(from, 'text[]'), add(patternsOf(from), 'text[]')]
    conditions.push(`(e.speaker_id = ANY (${ids} || (SELECT ${actorsNamed(ids, patterns)}))
      OR e.speaker_id <> e.posted_by AND ${unaccented(`e.wire::json ->> 'speaker_name'`)} ILIKE ANY (${patterns}))`)
  }
  if (since !== null) conditions.push(`e.occurred_at >= ${add(since.toISOString(), 'timestamptz')}`)
  if (isInThread) conditions.push('e.thread_id IS NOT NULL')
  if (hasFile) {
    conditions.push(`EXISTS (SELECT FROM files f
      WHERE f.tenant_id = e.tenant_id AND f.space_id = e.space_id AND f.event_id = e.event_id
        AND f.deleted_at IS NULL)`)
  }
  return conditions.join(' AND ')
}

/** The same on a decision `d`. A decision has no files, and is in no thread. */
export function decisionFilter(filter: SearchFilter | null, add: Add): string | null {
  if (filter === null) return null
  const { from, before, since, hasFile, isInThread } = filter
  const conditions = [hasFile || isInThread ? 'false' : 'true']
  if (from.length > 0) {
    const [ids, patterns] = [add(from, 'text[]'), add(patternsOf(from), 'text[]')]
    conditions.push(`d.proposed_by = ANY (${ids} || (SELECT ${actorsNamed(ids, patterns)}))`)
  }
  if (before !== null) conditions.push(`d.created_at < ${add(before.toISOString(), 'timestamptz')}`)
  if (since !== null) conditions.push(`d.created_at >= ${add(since.toISOString(), 'timestamptz')}`)
  return conditions.join(' AND ')
}
