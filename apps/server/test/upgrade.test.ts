import { query } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { operations } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

const h = useServer({ DATABASE_POOL: '5' })

/** Calls every operation with a new actor each, and returns those that failed. */
async function failuresOfOne(tenantId: string): Promise<string[]> {
  const failed: string[] = []
  for (const operation of operations) {
    const { world } = await openWorld(h, h.connection, tenantId)
    const { status, text } = await world.perform(operation)
    if (status !== 200) failed.push(`${operation.id}: ${status} ${text}`)
  }
  return failed
}

/** Calls several times at once: a statement fails only on a connection that has prepared it before. */
const failures = async (tenantId: string) =>
  (await Promise.all(Array.from({ length: 5 }, () => failuresOfOne(tenantId)))).flat()

/** A change that servers of the previous version survive: `pnpm migration:check` refuses other ones. */
const ADD_TO_EVERY_TABLE = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('ALTER TABLE %I ADD added_later text, ADD added_with_default text NOT NULL DEFAULT ''x''', name);
    END LOOP;
  END $$`

it('a running server survives a migration that adds columns to every table', async () => {
  const tenant = await foundTenant(h.connection)
  expect(await failures(tenant)).toEqual([])
  await query(h.connection, ADD_TO_EVERY_TABLE)
  expect(await failures(tenant)).toEqual([])
})
