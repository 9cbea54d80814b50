import type { Token } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfTokens(tokens: readonly Token[], style: Style): string {
  if (tokens.length === 0) return 'No tokens. Create one: spaces token create NAME'
  const isAnyRevoked = tokens.some(({ revoked_at }) => revoked_at !== null)
  return table(
    style,
    ['token', 'name', 'begins with', 'created', 'last used', ...(isAnyRevoked ? ['revoked'] : [])],
    tokens.map((token) => [
      token.pat_id,
      token.name,
      token.token_prefix,
      relativeTime(token.created_at),
      relativeTime(token.last_used_at),
      ...(isAnyRevoked ? [relativeTime(token.revoked_at)] : []),
    ]),
  )
}
