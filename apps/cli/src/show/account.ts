import type { Actor } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields } from '../terminal/table.js'

/** The account that is signed in, where, and with which token. */
type SignedIn = Actor & {
  readonly url: string
  readonly profile: string | null
  readonly sponsor_name?: string
  readonly token_from: 'profile' | 'environment'
}

export const signedIn = (account: SignedIn, style: Style): Text =>
  fields(style, [
    ['name', style.bold(account.display_name)],
    [account.actor_type, account.actor_id],
    ['email', account.email],
    ['sponsor', account.sponsor_name ?? account.sponsor_id],
    ['tenant', account.tenant_id ?? 'none'],
    ['server', account.url],
    ['profile', account.profile],
    ['token', account.token_from === 'environment' ? 'from SPACES_TOKEN' : 'saved in the profile'],
  ])
