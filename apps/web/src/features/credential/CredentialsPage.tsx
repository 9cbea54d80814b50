import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { CheckField } from '../../shared/components/Field'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { CreateWithSecret } from '../../shared/components/SecretDialog'
import { useDialogParam } from '../../shared/navigation/dialog-param'
import { useTitle } from '../../shared/navigation/title'
import { useSession } from '../../shared/session/session'
import { CreateToken } from './CreateToken'
import { GrantList } from './GrantList'
import { OwnKey } from './OwnKey'
import { SignInMethodList } from './SignInMethodList'
import { TokenList } from './TokenList'
import { credentialsTexts } from './texts'

/** The credentials of this account: sign-in methods, sessions, apps, tokens and its key. */
export function CredentialsPage() {
  const { account } = useSession()
  const words = credentialsTexts
  useTitle(words.title)
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {account.kind === 'human' && <SignInMethodList />}
      {account.kind === 'human' && <Tokens />}
      {account.kind === 'human' && <GrantList />}
      <OwnKey />
    </PageFrame>
  )
}

function Tokens() {
  const [isCreating, setIsCreating] = useDialogParam('new')
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
      <CreateWithSecret
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        dialog={CreateToken}
        words={words.secret}
      />
    </Section>
  )
}
