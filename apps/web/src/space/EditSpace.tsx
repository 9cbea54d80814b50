import { useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions, DialogForm } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { TextAreaField } from '../components/Field'
import { useChangeSpace } from '../query/space'
import { texts } from '../texts'

interface EditSpaceProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly spaceId: string
  readonly description: string
}

export function EditSpace({ isOpen, onClose, spaceId, description }: EditSpaceProps) {
  /** Null while nothing has been changed: then it says what is there by now. */
  const [text, setText] = useState<string | null>(null)
  const change = useChangeSpace(spaceId)
  const close = () => {
    setText(null)
    onClose()
  }
  const submit = () => {
    change.mutate({ description: text ?? description }, { onSuccess: close })
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title={texts.space.editTitle}>
      <DialogForm onSubmit={submit}>
        <TextAreaField
          label={texts.createSpace.description}
          hint={texts.createSpace.descriptionHint}
          value={text ?? description}
          onChange={setText}
          maxLength={2_000}
        />
        {change.isError && <ErrorNote error={change.error} />}
        <DialogActions>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button look="primary" type="submit" isBusy={change.isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  )
}
