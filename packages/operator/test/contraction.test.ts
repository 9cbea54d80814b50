import { describe, expect, it } from 'vitest'
import { unmarkedContractions } from '../src/migration/contraction.js'

describe('a migration', () => {
  it.each([
    'DROP TABLE "links";',
    'ALTER TABLE "links" DROP COLUMN "link_type";',
    'DROP INDEX "events_search_keys_idx";',
    'DROP TRIGGER audit ON events;',
    'drop function search_keys(uuid);',
    'ALTER TABLE "links" RENAME TO "edges";',
    'ALTER TABLE "links" RENAME COLUMN "a" TO "b";',
    'ALTER TABLE "links" ALTER COLUMN "a" SET DATA TYPE bigint;',
    'ALTER TABLE "links" ALTER COLUMN "a" SET NOT NULL;',
    'ALTER TABLE "links" ADD COLUMN "a" TEXT NOT NULL;',
  ])('has to explain why servers of the previous version survive: %s', (statement) => {
    expect(unmarkedContractions(statement)).toEqual([statement])
    expect(unmarkedContractions(`-- contract: unused since 1.2\n${statement}`)).toEqual([])
    expect(unmarkedContractions(`-- contract: unused since 1.2\nSELECT 1;\n${statement}`)).toEqual([statement])
    expect(unmarkedContractions(`-- Some other reason.\n${statement}`)).toEqual([statement])
  })

  it('may add tables and columns, and change foreign keys, without an explanation', () => {
    const script = `CREATE TABLE "a" ("b" TEXT NOT NULL);
      ALTER TABLE "links" ADD COLUMN "a" TEXT;
      ALTER TABLE "links" ADD COLUMN "c" TEXT NOT NULL DEFAULT '';
      ALTER TABLE "links" DROP CONSTRAINT "a_fkey", ADD CONSTRAINT "a_fkey" FOREIGN KEY ("a") REFERENCES "b"("a");
      -- DROP TABLE in a comment
      CREATE INDEX "c" ON "d" ("e");`
    expect(unmarkedContractions(script)).toEqual([])
  })
})
