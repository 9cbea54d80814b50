import { DEFAULT_TENANT } from '@collab-spaces/domain'
import type pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { StoreContext } from '../src/connection/store-context.js'
import { webhookDeliveryStore } from '../src/webhook/delivery.js'
import { nodesOf, rowsOf } from './plan.js'
import { usePostgres } from './postgres.js'
import { createSchema, withoutForeignKeys } from './schema.js'

const SPACES = 3_000
/** The number of spaces of an inbox that are polled at a time. */
const PIECE = 20

const postgres = usePostgres()

/** An inbox with many spaces, and two webhooks for it, of which one is disabled. All is delivered. */
beforeAll(async () => {
  await createSchema(postgres.client)
  await withoutForeignKeys(postgres.client, ['actors', 'spaces', 'attention_heads', 'webhooks', 'webhook_cursors'])
  await postgres.client.query(
    `INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, created_at)
     VALUES ('ada', '${DEFAULT_TENANT}', 'human', 'Ada', now())`,
  )
  await postgres.client.query(
    `INSERT INTO webhooks (tenant_id, webhook_id, owner_id, url, inbox_of, types, payload, has_reach, created_at, verified_at, disabled_at)
     SELECT '${DEFAULT_TENANT}', webhook_id, 'ada', 'https://example.org', 'ada', '{attention.raised}', 'thin', false, now(), now(),
       CASE WHEN webhook_id = 'ended' THEN now() END
     FROM unnest('{live,ended}'::text[]) AS webhook_id`,
  )
  const spaces = `generate_series(1, ${SPACES}) AS n, lpad(n::text, 4, '0') AS space_id`
  await postgres.client.query(
    `INSERT INTO spaces (tenant_id, space_id, description, status, started_at, created_by, head, last_event_at)
     SELECT '${DEFAULT_TENANT}', space_id, '', 'active', now(), 'ada', 1, now() FROM ${spaces}`,
  )
  await postgres.client.query(
    `INSERT INTO attention_heads (tenant_id, actor_id, space_id, head, raised_at)
     SELECT '${DEFAULT_TENANT}', 'ada', space_id, 1, now() FROM ${spaces}`,
  )
  await postgres.client.query(
    `INSERT INTO webhook_cursors (tenant_id, webhook_id, space_id, position)
     SELECT w.tenant_id, w.webhook_id, h.space_id, 1 FROM webhooks w, attention_heads h`,
  )
  await postgres.client.query('ANALYZE')
})

/** Creates a store, and counts the rows that its last statement has read. */
function counting() {
  const read = { rows: 0 }
  const query = async ({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
    const { rows } = await postgres.client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    read.rows = nodesOf(rows[0]['QUERY PLAN'][0].Plan).reduce((sum, node) => sum + rowsOf(node), 0)
    return postgres.client.query(text, values)
  }
  const pool = { query } as unknown as pg.Pool
  return { read, store: webhookDeliveryStore({ requests: pool, long: pool } as unknown as StoreContext) }
}

const live = { tenantId: DEFAULT_TENANT, webhookId: 'live' }

it('polls a limited part of an inbox at a time, however many spaces it has', async () => {
  const { read, store } = counting()
  await postgres.client.query(`UPDATE attention_heads SET head = 2 WHERE space_id = '${SPACES}'`)
  const lookAfter = async (after: string) => {
    const [found] = await store.overlooked([{ ...live, after }])
    // The webhook, its owner and tenant, and each of the spaces with its head and its cursor.
    expect(read.rows).toBeLessThanOrEqual(10 + 3 * PIECE)
    return found
  }
  expect(await lookAfter('')).toEqual({ ...live, isDue: false, upTo: '0020' })
  expect(await lookAfter('0020')).toEqual({ ...live, isDue: false, upTo: '0040' })
  expect(await lookAfter('2980')).toEqual({ ...live, isDue: true, upTo: '3000' })
  expect(await lookAfter('3000')).toEqual({ ...live, isDue: false, upTo: null })
  expect(await store.overlooked([{ tenantId: DEFAULT_TENANT, webhookId: 'ended', after: '2980' }])).toEqual([])
})

it('finds retries that became due since the last poll, and reads only these', async () => {
  const { read, store } = counting()
  const retryAt = (at: string, where: string) =>
    postgres.client.query(`UPDATE webhook_cursors SET retry_at = now() + interval '${at}' WHERE ${where}`)
  await retryAt('-1 hour', `webhook_id = 'ended'`)
  await retryAt('1 hour', `webhook_id = 'live'`)
  await retryAt('-1 second', `webhook_id = 'live' AND space_id IN ('0007', '0009')`)
  await postgres.client.query('ANALYZE webhook_cursors')
  const first = await store.retried(null)
  expect(first.webhooks).toMatchObject([live])
  expect(read.rows).toBe(2)
  expect(await store.retried(first.until)).toEqual({ webhooks: [], until: first.until })
  await retryAt('0 seconds', `webhook_id = 'live' AND space_id = '0011'`)
  expect((await store.retried(first.until)).webhooks).toMatchObject([live])
  expect(read.rows).toBe(1)
})
