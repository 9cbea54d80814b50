import type { Actor } from '@collab-spaces/testing'
import { type Client, clientWith } from '../../src/client.js'
import type { Timing } from '../../src/timing.js'

/** Waits as short as a test wants them. */
export const BRISK: Timing = { firstDelay: 10, longestDelay: 100, reconnect: 10, silence: 20_000 }

/** A client that does not wait for long. */
export const brisk = (url: string, actor?: Pick<Actor, 'api_key'>, timing: Partial<Timing> = {}): Client =>
  clientWith({ url, token: actor?.api_key }, { ...BRISK, ...timing })
