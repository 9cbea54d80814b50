import { TOKEN_SCOPES } from '@collab-spaces/domain'

/** The limits of a credential that has none. */
export const UNLIMITED = { scopes: null, space_ids: null, expires_at: null }

/** The limits of an agent for which no actor asked for others. */
export const AGENT_LIMITS = { ...UNLIMITED, scopes: ['read', 'write', 'settle'] }

/** The limits of an agent that may do whatever agents may. */
export const EVERYTHING = { scopes: [...TOKEN_SCOPES] }

/** An actor as others see it, from the answer that had its key. */
export function withoutKey(registered: object): Record<string, unknown> {
  const { api_key: _, scopes: __, space_ids: ___, expires_at: ____, ...actor } = registered as Record<string, unknown>
  return actor
}
