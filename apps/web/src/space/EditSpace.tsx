import { LIMITS, type SpaceDetails } from '@collab-spaces/client'
import { useState } from 'react'
import { ChoiceList } from '../components/ChoiceList'
import { Dialog, DialogForm } from '../components/Dialog'
import { CheckField, TextAreaField, TextField } from '../components/Field'
import { useNames } from '../query/names'
import { useChangeSpace } from '../query/space'
import { texts } from '../texts'

interface EditSpaceProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly space: SpaceDetails
}

export function EditSpace({ isOpen, onClose, space }: EditSpaceProps) {
  const { space_id, title, description, owners, visibility } = space
  /** Null while nothing has been changed: then they say what is there by now. */
  const [called, setCalled] = useState<string | null>(null)
  const [text, setText] = useState<string | null>(null)
  const [closed, setClosed] = useState<boolean | null>(null)
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const names = useNames(space_id)
  const change = useChangeSpace(space_id)
  const close = () => {
    setCalled(null)
    setText(null)
    setChosen(null)
    setClosed(null)
    onClose()
  }
  const submit = () => {
    const titled = called !== null && { title: called }
    const named = chosen && { owners: [...chosen] }
    const seen = closed !== null && { visibility: closed ? ('private' as const) : ('open' as const) }
    change.mutate({ description: text ?? description, ...titled, ...named, ...seen }, { onSuccess: close })
  }
  const humans = names.all.filter(({ kind, actorId }) => kind === 'human' || owners.includes(actorId))
  const unnamed = owners.filter((actorId) => !names.find(actorId)).map((actorId) => ({ actorId, name: actorId }))
  return (
    <Dialog isOpen={isOpen} onClose={close} title={texts.space.editTitle}>
      <DialogForm asked={change} onClose={close} onSubmit={submit}>
        <TextField
          label={texts.createSpace.spaceTitle}
          hint={texts.space.titleHint(space_id)}
          value={called ?? title ?? ''}
          onChange={setCalled}
          maxLength={LIMITS.title}
        />
        <TextAreaField
          label={texts.createSpace.description}
          hint={texts.createSpace.descriptionHint}
          value={text ?? description}
          onChange={setText}
          maxLength={LIMITS.description}
        />
        <CheckField
          label={texts.createSpace.isPrivate}
          hint={texts.createSpace.privateHint}
          checked={closed ?? visibility === 'private'}
          onChange={setClosed}
        />
        <ChoiceList
          label={texts.space.ownersLabel}
          hint={texts.space.ownersHint}
          options={[...humans, ...unnamed].map(({ actorId, name }) => ({ value: actorId, label: name }))}
          chosen={chosen ?? owners}
          onChange={setChosen}
        />
      </DialogForm>
    </Dialog>
  )
}
