/** The statements of the hot paths, for programs that measure them without the service around them. */

export { NO_LIMITS, viewerOf } from '@collab-spaces/domain'
export { type Append, appendStatement } from './append-statement.js'
export { pagesStatement } from './page.js'
