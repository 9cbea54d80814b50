import { useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions, DialogForm } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
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
      <DialogForm onSubmit={onSubmit}>
        <TextField label={label} value={code} onChange={setCode} autoComplete="off" spellCheck={false} required />
        {redeem.isError && <ErrorNote error={redeem.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" isBusy={redeem.isPending}>
            {submit}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  )
}
