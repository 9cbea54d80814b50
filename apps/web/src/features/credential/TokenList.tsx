import type { Token } from '@collab-spaces/client'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { List } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { useTokens } from '../../shared/query/credential'
import { useSession } from '../../shared/session/session'
import { Limits } from './Limits'
import { LastUsed, RevocableRow } from './RevocableRow'
import { credentialsTexts } from './texts'

interface TokenListProps {
  readonly hasRevoked: boolean
  readonly onCreate: () => void
}

export function TokenList({ hasRevoked, onCreate }: TokenListProps) {
  const words = credentialsTexts
  return (
    <Loaded query={useTokens(hasRevoked)} rows={3}>
      {(tokens) =>
        tokens.length === 0 ? (
          <EmptyState icon="key" title={words.emptyTitle} action={<Button onClick={onCreate}>{words.create}</Button>}>
            {words.emptyText}
          </EmptyState>
        ) : (
          <List label={words.tokens}>
            {tokens.map((token) => (
              <TokenRow key={token.pat_id} token={token} />
            ))}
          </List>
        )
      }
    </Loaded>
  )
}

function TokenRow({ token }: { readonly token: Token }) {
  const { account } = useSession()
  const { pat_id, name, token_prefix, last_used_at, revoked_at, expires_at } = token
  const words = credentialsTexts
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <RevocableRow
      actorId={account.actorId}
      id={pat_id}
      name={name}
      isRevoked={revoked_at !== null}
      title={
        <>
          {name}
          {revoked_at !== null ? (
            <Badge tone="bad">{words.revoked}</Badge>
          ) : (
            isExpired && <Badge tone="warn">{words.expired}</Badge>
          )}
        </>
      }
    >
      <span>
        <code>{token_prefix}…</code> · <LastUsed at={last_used_at} />
      </span>
      <Limits limits={token} />
    </RevocableRow>
  )
}
