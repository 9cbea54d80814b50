/** The catalogue of the columns of a tenant, for the tests of transfers. */

export { COLUMNS, type Place, type Reference, readReferences } from '@collab-spaces/db'
export { parsedColumns } from './rows/values.js'
export { CARRIED, carriedTables } from './transfer/tables.js'
