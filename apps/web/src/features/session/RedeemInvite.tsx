import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { useRedeemInvite } from '../../shared/query/actor'
import { texts } from '../../shared/texts'

export function RedeemInvite({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [code, setCode] = useState('')
  const redeem = useRedeemInvite()
  const { title, text, submit } = texts.redeem

  const onSubmit = () => {
    redeem.mutate(code.trim(), {
      onSuccess: () => {
        setCode('')
        onClose()
      },
    })
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title={title}
      description={text}
      asked={redeem}
      submit={submit}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <TextField label={texts.signUp.code} value={code} onChange={setCode} spellCheck={false} required />
    </FormDialog>
  )
}
