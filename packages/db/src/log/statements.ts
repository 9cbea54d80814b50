/** The statements of the hot paths, for programs that measure them without the service around them. */

export { type Append, appendStatement } from './append.js'
export { pagesStatement } from './page.js'
