import { TOKEN_SCOPES } from '@collab-spaces/domain'

/** The limits of an unlimited credential. */
export const UNLIMITED = { scopes: null, space_ids: null, expires_at: null }

/** The default limits of an agent. */
export const AGENT_LIMITS = { ...UNLIMITED, scopes: ['read', 'write', 'settle'] }

/** The limits of an agent that may do whatever agents may. */
export const EVERYTHING = { scopes: [...TOKEN_SCOPES] }

/** Returns the public fields of a registered actor. */
export function withoutKey(registered: object): Record<string, unknown> {
  const { api_key: _, scopes: __, space_ids: ___, expires_at: ____, ...actor } = registered as Record<string, unknown>
  return actor
}
