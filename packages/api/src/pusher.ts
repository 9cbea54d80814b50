import type { PushKeys } from '@collab-spaces/domain'

/** The sender of push messages. The server implements it, as it holds the key and the network settings. */
export interface Pusher {
  /** The application server key (RFC 8292): a point on P-256, in base64url. */
  readonly publicKey: string
  /** 400 unless the address rules and the tenant's hosts allow messages to the endpoint. */
  requireAllowed(endpoint: URL, allowedHosts: readonly string[] | null): Promise<void>
  /** Rejects if the push service does not accept the message. */
  send(push: Push): Promise<'taken' | 'gone'>
}

export interface Push {
  /** The ID by which the page's worker recognizes a duplicate. */
  readonly id: string
  readonly endpoint: string
  /** The hosts that the policy of the tenant allows; null for any. */
  readonly allowedHosts: readonly string[] | null
  readonly keys: PushKeys
  /** Sent encrypted, so that the push service cannot read it. */
  readonly payload: string
}
