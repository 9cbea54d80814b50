export { attachEmbedded } from './attach.js'
export type { ConnectionOptions } from './connection.js'
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './server.js'
export { asService } from './service-role.js'
