import type { PushKeys } from '@collab-spaces/domain'

/** The sender to browsers by their push services: the server, which knows its key and the network. */
export interface Pusher {
  /** By which browsers know who may send to them (RFC 8292): a point on P-256, in base64url. */
  readonly publicKey: string
  /** Throws 400 unless messages may be sent there now, also by the hosts that the tenant allows. */
  requireAllowed(endpoint: URL, allowedHosts: readonly string[] | null): Promise<void>
  /** Rejects if the push service does not take it. */
  send(push: Push): Promise<'taken' | 'gone'>
}

export interface Push {
  /** The id by which somebody who gets it twice knows that it is the same. */
  readonly id: string
  readonly endpoint: string
  /** The hosts that the policy of the tenant allows; null for any. */
  readonly allowedHosts: readonly string[] | null
  readonly keys: PushKeys
  /** Encrypted for the browser: the push service cannot read it. */
  readonly payload: string
}
