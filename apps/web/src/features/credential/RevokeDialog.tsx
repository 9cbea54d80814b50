import type { EndedItems } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { Dialog, DialogActions } from '../../shared/components/Dialog'
import { useCredentials, useRevokeCredential } from '../../shared/query/credential'
import { texts } from '../../shared/texts'
import { EndedList } from './EndedList'
import { credentialsTexts, endedTexts } from './texts'

interface RevokeDialogProps {
  readonly actorId: string
  /** The credential to revoke; null while the dialog is closed. */
  readonly credential: { readonly id: string; readonly name: string } | null
  readonly onClose: () => void
}

/** Confirms a revocation: lists what ends with the credential before, and what has ended after. */
export function RevokeDialog({ actorId, credential, onClose }: RevokeDialogProps) {
  const [ended, setEnded] = useState<EndedItems | null>(null)
  const { data: credentials } = useCredentials(actorId, credential !== null)
  const revoke = useRevokeCredential(actorId)
  const words = credentialsTexts
  const known = credentials?.find(({ credential_id }) => credential_id === credential?.id)
  const close = () => {
    setEnded(null)
    onClose()
  }
  const onSuccess = (revoked: { readonly ended?: EndedItems | undefined }) => {
    if (revoked.ended) setEnded(revoked.ended)
    else close()
  }
  if (ended !== null) {
    return (
      <Dialog isOpen onClose={close} title={words.revoked}>
        <EndedList ended={ended} title={endedTexts.after} />
        <DialogActions>
          <Button look="primary" onClick={close}>
            {texts.close}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      isOpen={credential !== null}
      onClose={close}
      title={words.revokeTitle(credential?.name ?? '')}
      text={words.revokeText}
      confirm={texts.revoke}
      request={revoke}
      onConfirm={() => credential && revoke.mutate(credential.id, { onSuccess })}
    >
      <EndedList ended={known?.ends} title={endedTexts.before} />
    </ConfirmDialog>
  )
}
