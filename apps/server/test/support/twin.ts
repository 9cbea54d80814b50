import type { ConnectionOptions } from '@collab-spaces/db'
import { query } from '@collab-spaces/testing'
import { foundTenant } from './tenant.js'

/** Part of every text of a twin. */
export const TWIN = 'only the twin says this'

/** Expressions of the row `x` that replace texts, so that a twin's rows differ from its original's. */
const TEXTS: Readonly<Record<string, string>> = {
  decision_acts: `jsonb_build_object('wire', jsonb_set(x.wire::jsonb, '{text}', '"${TWIN}"')::text)`,
  decisions: `jsonb_build_object('text', '${TWIN}')`,
  events: `jsonb_build_object('wire', jsonb_set(x.wire::jsonb, '{text}', '"${TWIN}"')::text)`,
  memberships: `jsonb_build_object('left_as', '${TWIN}')`,
  notices: `jsonb_build_object('details', '{"text":"${TWIN}"}')`,
  spaces: `jsonb_build_object('description', '${TWIN}')`,
  summaries: `jsonb_build_object('text', '${TWIN}')`,
  threads: `jsonb_build_object('subject', '${TWIN}')`,
}

/** The tables whose ids are unique per tenant only. Trees are not copied: the twin gets its own. */
const TABLES = `
  SELECT conrelid::regclass::text AS name FROM pg_constraint k
  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.contype = 'p' AND a.attname = 'tenant_id' AND cardinality(k.conkey) > 1
    AND conrelid::regclass::text NOT IN ('audit_positions', 'log_tiles', 'log_trees') ORDER BY name`

/** A copy of a tenant with the same ids everywhere, and other texts. */
export class Twin {
  private constructor(
    private readonly connection: ConnectionOptions,
    private readonly tenantId: string,
    private readonly tables: readonly string[],
  ) {}

  static async of(connection: ConnectionOptions, original: string): Promise<Twin> {
    const { rows } = await query(connection, TABLES)
    const tables = rows.map(({ name }) => name as string)
    const tenantId = await foundTenant(connection)
    const copies = tables.map(
      (table) => `${table}_copied AS (
        INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(x) || ${TEXTS[table] ?? "'{}'"}
          || jsonb_build_object('tenant_id', '${tenantId}'))).* FROM ${table} x WHERE tenant_id = '${original}')`,
    )
    // In one statement, as foreign keys are checked at its end.
    await query(connection, `WITH ${copies.join(', ')} SELECT`)
    return new Twin(connection, tenantId, tables)
  }

  /** Returns all its rows by table. */
  async rows(): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {}
    for (const table of this.tables) {
      const { rows } = await query(
        this.connection,
        `SELECT x::text AS row FROM ${table} x WHERE tenant_id = $1 ORDER BY x::text`,
        [this.tenantId],
      )
      all[table] = rows.map(({ row }) => row)
    }
    return all
  }
}
