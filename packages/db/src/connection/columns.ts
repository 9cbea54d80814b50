import { Prisma } from '../generated/client.js'

/**
 * The columns of a model, named as Prisma names them, for a statement that locks the row it reads: Prisma has none. In our
 * schema each column is its field in snake case.
 */
export const columnsOf = (fields: Readonly<Record<string, string>>): Prisma.Sql =>
  Prisma.raw(
    Object.values(fields)
      .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
      .join(),
  )

/** Some fields of rows as parameters for `unnest`: an array of each. */
export const arraysOf = <Row, Field extends keyof Row>(rows: readonly Row[], ...fields: readonly Field[]) =>
  fields.map((field) => rows.map((row) => row[field]))
