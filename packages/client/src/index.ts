export { type Client, type ClientOptions, createClient } from './client.js'
export { SpacesError } from './error.js'
export type * from './router.js'
export type { EventStream, StreamOptions } from './stream.js'
