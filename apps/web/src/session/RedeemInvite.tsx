import { useState } from 'react'
import { Dialog, DialogForm } from '../components/Dialog'
import { TextField } from '../components/Field'
import { useRedeemInvite } from '../query/actor'
import { texts } from '../texts'

export function RedeemInvite({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [code, setCode] = useState('')
  const redeem = useRedeemInvite()
  const { title, text, code: label, submit } = texts.redeem

  const onSubmit = () => {
    redeem.mutate(code.trim(), {
      onSuccess: () => {
        setCode('')
        onClose()
      },
    })
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={text}>
      <DialogForm asked={redeem} submit={submit} onClose={onClose} onSubmit={onSubmit}>
        <TextField label={label} value={code} onChange={setCode} spellCheck={false} required />
      </DialogForm>
    </Dialog>
  )
}
