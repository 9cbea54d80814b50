export { EmbeddedError } from './errors.js'
export type { Connection } from './guardian.js'
export type { Log } from './ownership.js'
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './server.js'
