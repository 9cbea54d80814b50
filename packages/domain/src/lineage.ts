import { TOKEN_KINDS } from './token.js'

/**
 * Whatever is made with a credential ends with it. So everything that can act later stores the credential that it was
 * made with and the ancestors of that credential: revocation finds all descendants by one name.
 */

/** The names of a credential and of those it descends from, the nearest first. Empty if none is known. */
export type Lineage = readonly string[]

/** The credential ID of every API key. A rotated key stays the same credential. */
export const API_KEY_ID = 'api_key'

interface NamedCredential {
  readonly actorId: string
  /** The id of a token, a passkey or an identity, or `api_key`. */
  readonly credentialId: string
}

/** The name of a credential among those of all actors: its id; of a key, that of its actor. */
export const lineageName = ({ actorId, credentialId }: NamedCredential): string =>
  credentialId === API_KEY_ID ? actorId : credentialId

/** The lineage of what is made with a credential that descends from others. */
export const lineageFrom = (credential: NamedCredential, ancestors: Lineage): Lineage => [
  ...new Set([lineageName(credential), ...ancestors]),
]

/** The credential with this name. `owner` is whose it is, unless it is a key. */
export const namedCredential = (name: string, owner: string): NamedCredential =>
  /^(usr|agt)_/.test(name) ? { actorId: name, credentialId: API_KEY_ID } : { actorId: owner, credentialId: name }

/** Something that can end with the credential that it was made with. */
export const MADE_KINDS = [
  ...TOKEN_KINDS,
  'passkey',
  'identity',
  'api_key',
  'agent',
  'agent_code',
  'invite',
  'notification_channel',
  'webhook',
] as const
export type MadeKind = (typeof MADE_KINDS)[number]

/** Something that was made with a credential, and lasts until that ends. */
export interface MadeItem {
  readonly kind: MadeKind
  /** Of a key, the id of its actor. */
  readonly id: string
  /**
   * The name by which people know it: of an invite the address, of a webhook the host it leads to, of a notification
   * channel its address or the name of its browser. Null if it has none.
   */
  readonly name: string | null
  /** The actor that it belongs to: of an agent, its sponsor. */
  readonly actorId: string
}
