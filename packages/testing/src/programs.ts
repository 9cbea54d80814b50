/** What programs outside a test run share with tests: it needs no test runner. */
export { dataCopies } from './data-copies.js'
export { copyOf, inDatabase, query, urlOf } from './database.js'
export { type DatabaseProxy, proxyTo } from './database-proxy.js'
export { eventually } from './eventually.js'
export { CAN_MEASURE_MEMORY, peakMemory } from './memory.js'
export { freePorts } from './port.js'
export { postmasterOf } from './postmaster.js'
export { Program } from './program.js'
