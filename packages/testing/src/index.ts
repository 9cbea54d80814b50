export { BucketServer } from './bucket-server.js'
export {
  type Actor,
  Answer,
  bearer,
  Client,
  type Extras,
  expectError,
  NOTHING,
  spaceIdOf,
  UNKNOWN_ACTOR,
} from './client.js'
export { query, servingConnection, urlOf } from './database.js'
export { type DatabaseProxy, proxyTo } from './database-proxy.js'
export { useDirectory } from './directory.js'
export { eventually } from './eventually.js'
export { freshDatabase, type TestDatabase, useDatabase } from './fresh-database.js'
export { describeWith, leftOut, programPath } from './left-out.js'
export { type MailReceived, MailServer, SHARED_MAIL_SETTINGS, sharedMail } from './mail-server.js'
export { type Block, blocksIn } from './markdown.js'
export { DATABASE_PATIENCE_MS, IMPATIENT, PATIENCE_MS, PATIENT } from './patience.js'
export { Pending } from './pending.js'
export { png, pngChunk } from './png.js'
export { freePorts } from './port.js'
export { postmasterOf } from './postmaster.js'
export { CAN_MEASURE_MEMORY, Program, peakMemory } from './program.js'
export { type ServedProgram, startProgram, useProgram } from './served-program.js'
export { type StoredEvent, storedEvents } from './stored-events.js'
