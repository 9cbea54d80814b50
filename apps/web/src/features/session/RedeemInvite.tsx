import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { useRedeemInvite } from '../../shared/query/actor'
import { redeemTexts, signUpTexts } from './texts'

export function RedeemInvite({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [code, setCode] = useState('')
  const redeem = useRedeemInvite()
  const { title, text, submit } = redeemTexts

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
      request={redeem}
      submit={submit}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <TextField label={signUpTexts.code} value={code} onChange={setCode} spellCheck={false} required />
    </FormDialog>
  )
}
