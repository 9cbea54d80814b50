import { useState } from 'react'
import { Button } from '../components/Button'
import { List, ListRow } from '../components/List'
import { Section } from '../components/PageFrame'
import { Time } from '../components/Time'
import { useGrants } from '../query/credential'
import { texts } from '../texts'
import { Limits } from './Limits'
import { RevokeDialog } from './RevokeDialog'

type Grant = NonNullable<ReturnType<typeof useGrants>['data']>[number]

/** The programs that act for this account; nothing while there are none. */
export function GrantList() {
  const { data: grants = [] } = useGrants()
  if (grants.length === 0) return null
  return (
    <Section title={texts.grants.title}>
      <List label={texts.grants.title}>
        {grants.map((grant) => (
          <GrantRow key={grant.credential_id} grant={grant} />
        ))}
      </List>
    </Section>
  )
}

function GrantRow({ grant }: { readonly grant: Grant }) {
  const [isAsking, setIsAsking] = useState(false)
  const { actor_id, credential_id, actsAs, last_used_at } = grant
  const name = grant.name ?? credential_id
  const words = texts.credentials
  return (
    <ListRow
      icon="key"
      title={name}
      actions={
        <Button size="small" onClick={() => setIsAsking(true)} aria-label={words.revokeNamed(name)}>
          {words.revoke}
        </Button>
      }
    >
      <span>
        {texts.grants.actsAs(actsAs)} ·{' '}
        {last_used_at === null ? (
          words.neverUsed
        ) : (
          <>
            {words.lastUsed} <Time at={last_used_at} />
          </>
        )}
      </span>
      <Limits limits={grant} />
      <RevokeDialog
        actorId={actor_id}
        credential={isAsking ? { id: credential_id, name } : null}
        onClose={() => setIsAsking(false)}
      />
    </ListRow>
  )
}
