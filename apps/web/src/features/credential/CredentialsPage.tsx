import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { CheckField } from '../../shared/components/Field'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { MadeSecret } from '../../shared/components/SecretDialog'
import { useAsked } from '../../shared/navigation/asked'
import { useTitle } from '../../shared/navigation/title'
import { useSession } from '../../shared/session/session'
import { CreateToken } from './CreateToken'
import { GrantList } from './GrantList'
import { OwnKey } from './OwnKey'
import { TokenList } from './TokenList'
import { credentialsTexts } from './texts'
import { WaysIn } from './WaysIn'

/** The credentials of this account: sign-in methods, sessions, apps, tokens and its key. */
export function CredentialsPage() {
  const { account } = useSession()
  const words = credentialsTexts
  useTitle(words.title)
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {account.kind === 'human' && <WaysIn />}
      {account.kind === 'human' && <Tokens />}
      {account.kind === 'human' && <GrantList />}
      <OwnKey />
    </PageFrame>
  )
}

function Tokens() {
  const [isCreating, setIsCreating] = useAsked('new')
  const [hasRevoked, setHasRevoked] = useState(false)
  const words = credentialsTexts
  const create = () => setIsCreating(true)
  return (
    <Section
      title={words.tokens}
      aside={
        <Button look="primary" icon="plus" onClick={create}>
          {words.create}
        </Button>
      }
    >
      <TokenList hasRevoked={hasRevoked} onCreate={create} />
      <CheckField label={words.showRevoked} checked={hasRevoked} onChange={setHasRevoked} />
      <MadeSecret isOpen={isCreating} onClose={() => setIsCreating(false)} dialog={CreateToken} words={words.secret} />
    </Section>
  )
}
