import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'

/** An account on this machine, without its token. */
export interface SavedAccount {
  readonly profile: string
  readonly current: boolean
  readonly url: string
  readonly actor_id: string
  readonly display_name: string
}

export function listOfProfiles(accounts: readonly SavedAccount[], style: Style): Text {
  if (accounts.length === 0)
    return 'No accounts on this machine. Create one: spaces signup. Have a token? Run: spaces login'
  return table(style, accounts, {
    '': ({ current }) => (current ? '*' : ''),
    profile: ({ profile }) => profile,
    name: ({ display_name }) => display_name,
    actor: ({ actor_id }) => actor_id,
    server: ({ url }) => url,
  })
}
