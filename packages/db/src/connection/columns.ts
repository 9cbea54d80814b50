import { Prisma } from '../generated/client.js'

/**
 * The columns of a model under their Prisma names, for row locks, which Prisma does not support. Each column is its field in
 * snake case.
 */
export const columnsOf = (fields: Readonly<Record<string, string>>): Prisma.Sql =>
  Prisma.raw(
    Object.values(fields)
      .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
      .join(),
  )

/** Fields of rows as parameters for `unnest`: one array for each field. */
export const arraysOf = <Row, Field extends keyof Row>(rows: readonly Row[], ...fields: readonly Field[]) =>
  fields.map((field) => rows.map((row) => row[field]))
