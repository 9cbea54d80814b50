import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { Dialog } from '../../shared/components/Dialog'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Time } from '../../shared/components/Time'
import { useCredentials } from '../../shared/query/credential'
import { texts } from '../../shared/texts'
import { Limits } from '../credential/Limits'
import { RevokeDialog } from '../credential/RevokeDialog'
import { credentialsTexts } from '../credential/texts'
import { memberCredentialsTexts } from './texts'

interface MemberCredentialsProps {
  readonly actorId: string
  readonly name: string
  readonly onClose: () => void
}

type CredentialName = { readonly id: string; readonly name: string }

/** Lists and revokes the credentials of a member, for admins. */
export function MemberCredentials({ actorId, name, onClose }: MemberCredentialsProps) {
  const query = useCredentials(actorId)
  const [revoking, setRevoking] = useState<CredentialName | null>(null)
  const words = memberCredentialsTexts
  if (revoking) return <RevokeDialog actorId={actorId} credential={revoking} onClose={() => setRevoking(null)} />
  return (
    <Dialog isOpen onClose={onClose} title={words.title(name)} description={words.text}>
      <Loaded query={query} rows={2}>
        {(credentials) => (
          <List label={words.title(name)}>
            {credentials.map((credential) => {
              const { credential_id: id, kind, last_used_at, revoked_at, created_at } = credential
              const title = credential.name ?? words.key
              return (
                <ListRow
                  key={id}
                  icon="key"
                  title={revoked_at === null ? title : words.noKey}
                  actions={
                    revoked_at === null && (
                      <Button
                        size="small"
                        aria-label={credentialsTexts.revokeNamed(title)}
                        onClick={() => setRevoking({ id, name: kind === 'api_key' ? words.revokeKey(name) : title })}
                      >
                        {texts.revoke}
                      </Button>
                    )
                  }
                >
                  <span>
                    <Time at={created_at} form="date" />
                    {last_used_at !== null && (
                      <>
                        {' '}
                        · {credentialsTexts.lastUsed} <Time at={last_used_at} />
                      </>
                    )}
                  </span>
                  <Limits limits={credential} />
                </ListRow>
              )
            })}
          </List>
        )}
      </Loaded>
    </Dialog>
  )
}
