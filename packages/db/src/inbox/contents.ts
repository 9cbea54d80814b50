import type pg from 'pg'
import { mayRead } from '../access/view.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext } from '../connection/store-context.js'
import { IS_WAITING } from '../decision/condition.js'
import { IS_SHOWN } from '../notice/notice.js'
import type { InboxOwner } from './attention.js'
import { isHidden } from './snooze.js'

/** Which kinds of content an inbox has. Spaces that the owner can no longer read count, too. */
export interface InboxContents {
  readonly hasItems: boolean
  readonly hasDecisions: boolean
  readonly hasNotices: boolean
}

/** Whether the owner `a` has a row. OFFSET prevents a hashed subplan over all owners, which stale statistics favor. */
const exists = (query: string) => `EXISTS (SELECT FROM ${query} OFFSET 0)`

/** Whether the owner `a` may read the space of a row. */
const SEEN = (row: string) => `EXISTS (
  SELECT FROM spaces s WHERE s.tenant_id = ${row}.tenant_id AND s.space_id = ${row}.space_id
    AND ${mayRead({ actor: 'a.actor_id', isGuest: '(SELECT v.is_guest FROM actors v WHERE v.actor_id = a.actor_id)' })})`

const UNREAD_SPACES = `
  attention_heads h LEFT JOIN read_cursors c USING (tenant_id, actor_id, space_id)
  WHERE h.tenant_id = a.tenant_id AND h.actor_id = a.actor_id AND h.head > coalesce(c.done_through, 0)`

const ASSIGNED = `decisions d WHERE d.tenant_id = a.tenant_id AND ${IS_WAITING} AND d.assignees @> ARRAY[a.actor_id]`

const NOTICES = 'notices n WHERE n.tenant_id = a.tenant_id AND n.actor_id = a.actor_id'

/** An event wakes every long poll on its space at once. The batch is small because an owner may be in many spaces. */
const OWNERS = { most: 16, width: 2 }

const CONTENTS = {
  name: 'inbox_contents',
  text: `
    SELECT * FROM (
      SELECT a.ordinal, ${exists(UNREAD_SPACES)} AS "hasItems", ${exists(ASSIGNED)} AS "hasDecisions",
        ${exists(NOTICES)} AS "hasNotices"
      FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS a(tenant_id, actor_id, ordinal) OFFSET 0
    ) c WHERE "hasItems" OR "hasDecisions" OR "hasNotices"`,
}

/** Whether an unread space has an item that is not snoozed. */
const HAS_SHOWN = `EXISTS (
  SELECT FROM attention
  WHERE attention.tenant_id = h.tenant_id AND attention.space_id = h.space_id AND attention.actor_id = h.actor_id
    AND attention.position > coalesce(c.done_through, 0) AND NOT ${isHidden('h.head')} OFFSET 0)`

/** Exact, as it wakes the long polls of what it selects: also once a snooze has ended, and not before. */
const WITH_SOMETHING = {
  name: 'inbox_with_something',
  text: `
    SELECT a.tenant_id AS "tenantId", a.actor_id AS "actorId"
    FROM unnest($1::uuid[], $2::text[]) AS a(tenant_id, actor_id)
    WHERE ${exists(`${UNREAD_SPACES} AND ${SEEN('h')} AND ${HAS_SHOWN}`)}
      OR ${exists(`${NOTICES} AND ${IS_SHOWN} AND (n.space_id IS NULL OR ${SEEN('n')})`)}`,
}

const contentsOn = (pool: pg.Pool) =>
  batched(OWNERS, async (owners: readonly InboxOwner[]) => {
    const { rows } = await pool.query<InboxContents & Ordinal>({
      name: CONTENTS.name,
      text: CONTENTS.text,
      values: arraysOf(owners, 'tenantId', 'actorId'),
    })
    return inOrder(rows, owners.length)
  })

export const contentsStore = ({ requests, long }: StoreContext) => ({
  /** The contents of an inbox; null if it is empty. Concurrent calls share a statement. */
  contents: contentsOn(requests),

  /** Filters the owners that have an item or a notice that is not snoozed. */
  async withSomething(owners: readonly InboxOwner[]): Promise<InboxOwner[]> {
    const { rows } = await long.query<InboxOwner>({
      ...WITH_SOMETHING,
      values: arraysOf(owners, 'tenantId', 'actorId'),
    })
    return rows
  },
})
