import { findBinaries } from './binaries.js'

// At the end of the build, so that whoever starts the server need not be able to write into `node_modules`. A machine
// without these programs is told so when it starts a server without DATABASE_URL.
await findBinaries().catch(() => {})
