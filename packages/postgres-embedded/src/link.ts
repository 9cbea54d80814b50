import { findBinaries } from './binaries.js'

// At the end of the build, so that the starting account needs no right to write into `node_modules`. A machine
// without these programs is told so when it starts a server without DATABASE_URL.
await findBinaries().catch(() => {})
