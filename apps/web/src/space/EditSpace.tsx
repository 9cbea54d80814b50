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
  const [text, setText] = useState(description)
  const change = useChangeSpace(spaceId)
  const submit = () => {
    change.mutate({ description: text }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.space.editTitle}>
      <DialogForm onSubmit={submit}>
        <TextAreaField
          label={texts.createSpace.description}
          hint={texts.createSpace.descriptionHint}
          value={text}
          onChange={setText}
          maxLength={2_000}
        />
        {change.isError && <ErrorNote error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" isBusy={change.isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  )
}
