export { type Client, type ClientOptions, createClient } from './client.js'
export { SpacesError } from './error.js'
export type * from './router.js'
export { EventStream, type StreamOptions } from './stream.js'
