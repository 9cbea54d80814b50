/** The limits of a credential that has none. */
export const UNLIMITED = { scopes: null, space_ids: null, expires_at: null }

/** An actor as others see it, from the answer that had its key. */
export function withoutKey(registered: object): Record<string, unknown> {
  const { api_key: _, scopes: __, space_ids: ___, expires_at: ____, ...actor } = registered as Record<string, unknown>
  return actor
}
