import type { Actor } from '@collab-spaces/testing'
import { type Client, clientWith } from '../../src/client.js'
import type { Timing } from '../../src/timing.js'

/** Short delays for tests. */
export const BRISK: Timing = { firstDelay: 10, longestDelay: 100, reconnect: 10, silence: 20_000 }

/** Creates a client with short delays. */
export const brisk = (url: string, actor?: Pick<Actor, 'api_key'>, timing: Partial<Timing> = {}): Client =>
  clientWith({ url, token: actor?.api_key }, { ...BRISK, ...timing })
