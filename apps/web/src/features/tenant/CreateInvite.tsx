import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { CheckField, SelectField, TextAreaField } from '../../shared/components/Field'
import type { CreateDialogProps } from '../../shared/components/SecretDialog'
import { useNotifications } from '../../shared/query/notification'
import { useSpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import { useCreateInvites } from '../../shared/query/tenant'
import { createInviteTexts, invitesTexts } from './texts'

/** Creates an invite for anyone with its link, or one for each address. */
export function CreateInvite({ onClose, onMade }: CreateDialogProps) {
  const [addresses, setAddresses] = useState('')
  const [spaceId, setSpaceId] = useState('')
  const [isSent, setIsSent] = useState(true)
  const { data: spaces } = useSpaces()
  const { data: notifications } = useNotifications()
  const create = useCreateInvites()
  const words = createInviteTexts
  const emails = addresses.split(/[\s,;]+/).filter((address) => address !== '')
  const canSend = emails.length > 0 && notifications?.sends_email === true
  const submit = () => {
    const send = canSend && isSent
    create.mutate(
      { emails, default_space_id: spaceId || undefined, send },
      { onSuccess: (invites) => onMade(linesOf(invites, send)) },
    )
  }
  return (
    <FormDialog
      title={invitesTexts.create}
      description={words.text}
      request={create}
      submit={words.submit(emails.length)}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextAreaField
        label={words.emails}
        hint={words.emailsHint}
        value={addresses}
        onChange={setAddresses}
        autoComplete="off"
        spellCheck={false}
      />
      {canSend && <CheckField label={words.send} checked={isSent} onChange={setIsSent} />}
      <SelectField
        label={words.space}
        value={spaceId}
        options={[{ value: '', label: words.noSpace }, ...(spaces ?? []).map(spaceOption)]}
        onChange={setSpaceId}
      />
    </FormDialog>
  )
}

interface CreatedInvite {
  readonly email: string | null
  readonly url: string
  readonly sent: boolean
}

/** Returns the link of one invite, or a line for each of several, which says if the mail server refused it. */
const linesOf = (invites: readonly CreatedInvite[], isToBeSent: boolean): string =>
  invites
    .map(({ email, url, sent }) => {
      const address = invites.length > 1 && email !== null ? `${email} ` : ''
      return `${address}${url}${isToBeSent && !sent ? ` ${createInviteTexts.notSent}` : ''}`
    })
    .join('\n')
