import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { spacePath } from '../../shared/navigation/paths'
import { useRedeemInvite } from '../../shared/query/actor'
import { inviteCodeIn } from './pending-invite'
import { redeemTexts, signUpTexts } from './texts'

interface RedeemInviteProps {
  readonly isOpen: boolean
  /** The code of a link. */
  readonly initialCode?: string
  readonly onClose: () => void
}

export function RedeemInvite({ isOpen, initialCode = '', onClose }: RedeemInviteProps) {
  const [code, setCode] = useState(initialCode)
  const redeem = useRedeemInvite()
  const [, navigate] = useLocation()
  const { title, text, submit } = redeemTexts

  const onSubmit = () => {
    redeem.mutate(inviteCodeIn(code), {
      onSuccess: ({ default_space_id }) => {
        setCode('')
        onClose()
        if (default_space_id !== null) navigate(spacePath(default_space_id))
      },
    })
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title={title}
      description={text}
      request={redeem}
      submit={submit}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <TextField label={signUpTexts.code} value={code} onChange={setCode} spellCheck={false} required />
    </FormDialog>
  )
}
