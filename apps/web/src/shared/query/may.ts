import { useMe } from './actor'
import type { TokenScope } from './credential'

/** Whether the credential of this account has a scope. Until that is known, it has: most have all. */
export function useMay(scope: TokenScope): boolean {
  const { data: me } = useMe()
  return me?.scopes?.includes(scope) ?? true
}
