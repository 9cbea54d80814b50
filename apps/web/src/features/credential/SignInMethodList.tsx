import { type Credential, LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { Button } from '../../shared/components/Button'
import { FormDialog } from '../../shared/components/Dialog'
import { EmptyState } from '../../shared/components/EmptyState'
import { TextField } from '../../shared/components/Field'
import { List } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Section } from '../../shared/components/PageFrame'
import { Time } from '../../shared/components/Time'
import { useCredentials } from '../../shared/query/credential'
import { useAddPasskey, useSendBindingLink, useSignOutEverywhere } from '../../shared/query/sign-in'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { toastError } from '../../shared/toast'
import { PasskeyNote } from '../session/PasskeyNote'
import { startEmail } from '../session/pending-email'
import { passkeyOrigin, redirectToProvider, supportsPasskeys, useSignInMethods } from '../session/sign-in-methods'
import { emailLinkTexts } from '../session/texts'
import { LastUsed, RevocableRow } from './RevocableRow'
import { limitsTexts, signInMethodTexts } from './texts'

const KINDS: readonly Credential['kind'][] = ['passkey', 'identity', 'session', 'grant']

/** Passkeys, identities and sessions of this account. */
export function SignInMethodList() {
  const { account } = useSession()
  const query = useCredentials(account.actorId)
  const ways = useSignInMethods()
  const [isAdding, setIsAdding] = useState(false)
  const [isAddingEmail, setIsAddingEmail] = useState(false)
  const everywhere = useSignOutEverywhere(account)
  const otherOrigin = ways && passkeyOrigin(ways)
  const words = signInMethodTexts
  const bind = () =>
    redirectToProvider({ isRemembered: account.isRemembered, bindTo: account.actorId }).catch(toastError)
  return (
    <Section
      title={words.title}
      aside={
        <>
          {ways?.oidc && <Button onClick={bind}>{words.bind(ways.oidc.name)}</Button>}
          {ways?.email && (
            <Button icon="plus" onClick={() => setIsAddingEmail(true)}>
              {words.addEmail}
            </Button>
          )}
          {ways && supportsPasskeys(ways) && (
            <Button icon="plus" onClick={() => setIsAdding(true)}>
              {words.addPasskey}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query} rows={2}>
        {(credentials) => {
          const shown = credentials.filter(({ kind }) => KINDS.includes(kind))
          if (shown.length === 0)
            return (
              <EmptyState icon="key" title={words.emptyTitle}>
                {words.emptyText}
              </EmptyState>
            )
          return (
            <List label={words.title}>
              {shown.map((credential) => (
                <MethodRow key={credential.credential_id} credential={credential} />
              ))}
            </List>
          )
        }}
      </Loaded>
      {otherOrigin && <PasskeyNote origin={otherOrigin} />}
      {query.data?.some(({ kind }) => kind === 'session') && (
        <Button isBusy={everywhere.isPending} onClick={() => everywhere.mutate()}>
          {words.everywhere}
        </Button>
      )}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
      {isAddingEmail && <AddEmail onClose={() => setIsAddingEmail(false)} />}
    </Section>
  )
}

function MethodRow({ credential }: { readonly credential: Credential }) {
  const { credential_id, actor_id, kind, last_used_at, expires_at } = credential
  const name = credential.name ?? ''
  return (
    <RevocableRow
      actorId={actor_id}
      id={credential_id}
      name={name}
      icon={kind === 'session' ? 'home' : 'key'}
      title={`${signInMethodTexts.kinds[kind]} ${name}`}
    >
      <span>
        <LastUsed at={last_used_at} />
        {expires_at !== null && (
          <>
            {' '}
            · {limitsTexts.ends} <Time at={expires_at} />
          </>
        )}
      </span>
    </RevocableRow>
  )
}

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const add = useAddPasskey()
  const words = signInMethodTexts
  return (
    <FormDialog
      title={words.addPasskey}
      description={words.addText}
      request={add}
      submit={texts.add}
      onClose={onClose}
      onSubmit={() => add.mutate(name, { onSuccess: onClose })}
    >
      <TextField label={texts.name} value={name} onChange={setName} maxLength={64} required />
    </FormDialog>
  )
}

/** Sends the link that confirms an address, and again. The link opens in a tab of its own. */
function AddEmail({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('')
  const send = useSendBindingLink()
  const words = emailLinkTexts
  const submit = async () => send.mutate({ email, challenge: await startEmail('confirm') })
  return (
    <FormDialog
      title={signInMethodTexts.addEmail}
      description={signInMethodTexts.addEmailText}
      request={send}
      submit={send.isSuccess ? words.resend : words.send}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words.address}
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={LIMITS.email}
        autoComplete="email"
        required
      />
      <p role="status">{send.isSuccess && words.confirmText(send.variables.email)}</p>
    </FormDialog>
  )
}
