import { CopyField } from '../../shared/components/CopyField'
import { SecretDialog } from '../../shared/components/SecretDialog'
import type { IncomingWebhookWithSecret } from '../../shared/query/incoming-webhook'
import { incomingTexts } from './texts'

interface IncomingSecretProps {
  /** Null while the dialog is closed. */
  readonly made: IncomingWebhookWithSecret | null
  readonly onDone: () => void
}

/** Shows the address and the secret once. For Slack's format, the address contains the secret. */
export function IncomingSecret({ made, onDone }: IncomingSecretProps) {
  const words = incomingTexts.secret
  if (made?.format === 'slack') {
    const { inAddressTitle, inAddressText, address } = words
    return (
      <SecretDialog secret={made.url} title={inAddressTitle} text={inAddressText} label={address} onDone={onDone} />
    )
  }
  return (
    <SecretDialog
      secret={made?.secret ?? null}
      title={words.title}
      text={words.text}
      label={words.label}
      onDone={onDone}
    >
      <CopyField label={words.address} value={made?.url ?? ''} />
    </SecretDialog>
  )
}
