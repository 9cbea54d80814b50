import { List } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { useGrants } from '../../shared/query/credential'
import { Limits } from './Limits'
import { LastUsed, RevocableRow } from './RevocableRow'
import { grantsTexts } from './texts'

type Grant = NonNullable<ReturnType<typeof useGrants>['data']>[number]

/** The apps that act for this account. Renders nothing if there are none. */
export function GrantList() {
  const { data: grants = [] } = useGrants()
  if (grants.length === 0) return null
  return (
    <Section title={grantsTexts.title}>
      <List label={grantsTexts.title}>
        {grants.map((grant) => (
          <GrantRow key={grant.credential_id} grant={grant} />
        ))}
      </List>
    </Section>
  )
}

function GrantRow({ grant }: { readonly grant: Grant }) {
  const { actor_id, credential_id, name, actsAs, last_used_at } = grant
  return (
    <RevocableRow actorId={actor_id} id={credential_id} name={name ?? credential_id}>
      <span>
        {grantsTexts.actsAs(actsAs)} · <LastUsed at={last_used_at} />
      </span>
      <Limits limits={grant} />
    </RevocableRow>
  )
}
