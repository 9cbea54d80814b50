export { CARRIED, carriedTables } from '../transfer/tables.js'
export { COLUMNS } from './columns.js'
export { type Place, type Reference, readReferences } from './references.js'
export { parsedColumns } from './values.js'
