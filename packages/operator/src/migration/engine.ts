import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import { adapterOn } from './adapter.js'
import type { Migration } from './files.js'

const NO_FILTERS = { externalTables: [], externalEnums: [] }

/**
 * Runs the script and inserts its row into `_prisma_migrations`, which it creates if missing, in one transaction. It
 * begins the transaction; the caller ends it. Throws PostgreSQL's error, if any.
 */
export function applyMigration(client: pg.Client, { name, script }: Migration): Promise<void> {
  return withEngine(client, async (engine) => {
    await engine.applyMigrations({
      migrationsList: {
        baseDir: '',
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: [
          { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } } },
        ],
      },
      filters: NO_FILTERS,
    })
  })
}

/**
 * The SQL that changes the database to the Prisma schema; undefined without a difference. Ignores objects that a Prisma
 * schema cannot express (checks, functions, partial and expression indexes, storage parameters). The caller ends the
 * transaction.
 */
export function difference(client: pg.Client, schema: string): Promise<string | undefined> {
  const files = [{ path: 'schema.prisma', content: schema }]
  return withEngine(client, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    })
    return exitCode === 0 ? undefined : (stdout ?? undefined)
  })
}

/** Prisma's schema engine, on the given connection only. */
async function withEngine<T>(client: pg.Client, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { SchemaEngine } = await loadWasm()
  const failures: unknown[] = []
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => adapterOn(client, (failure) => failures.push(failure)),
    connectToShadowDb: () => Promise.reject(new Error('The schema engine is given no shadow database')),
  })
  try {
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory)
    try {
      return await work(engine)
    } finally {
      engine.free()
    }
  } catch (error) {
    // After a failure, the engine tries to record it, and then reports only the failure of the record.
    throw failures[0] ?? error
  }
}

// Node's types lack this one, and browser types are not loaded.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

let loading: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined

/** The package's entry imports its .wasm file as a module, which Node 20 does not support. These are the same steps. */
function loadWasm() {
  loading ??= (async () => {
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
    const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'))
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...bindings } })
    bindings.__wbg_set_wasm(instance.exports)
    instance.exports.__wbindgen_start()
    return bindings
  })()
  return loading
}
