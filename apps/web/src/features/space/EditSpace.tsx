import { LIMITS, type SpaceDetails } from '@collab-spaces/client'
import { useState } from 'react'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { FormDialog } from '../../shared/components/Dialog'
import { CheckField, TextAreaField, TextField } from '../../shared/components/Field'
import { useNames } from '../../shared/query/names'
import { useChangeSpace } from '../../shared/query/space'
import { createSpaceTexts, spaceTexts } from './texts'

type SpaceEdit = Partial<Pick<SpaceDetails, 'title' | 'description' | 'owners' | 'visibility'>>

interface EditSpaceProps {
  readonly onClose: () => void
  readonly space: SpaceDetails
}

export function EditSpace({ onClose, space }: EditSpaceProps) {
  /** The edited fields. The others follow the current values. */
  const [changed, setChanged] = useState<SpaceEdit>({})
  const { space_id, title, description, owners, visibility } = { ...space, ...changed }
  const edit = (part: SpaceEdit) => setChanged({ ...changed, ...part })
  const names = useNames(space_id)
  const change = useChangeSpace(space_id)
  const humans = names.all.filter(({ kind, actorId }) => kind === 'human' || space.owners.includes(actorId))
  const unnamed = space.owners.filter((actorId) => !names.find(actorId)).map((actorId) => ({ actorId, name: actorId }))
  return (
    <FormDialog
      title={spaceTexts.editTitle}
      request={change}
      onClose={onClose}
      onSubmit={() => change.mutate({ description, ...changed }, { onSuccess: onClose })}
    >
      <TextField
        label={createSpaceTexts.spaceTitle}
        hint={spaceTexts.titleHint(space_id)}
        value={title ?? ''}
        onChange={(title) => edit({ title })}
        maxLength={LIMITS.title}
      />
      <TextAreaField
        label={createSpaceTexts.description}
        hint={createSpaceTexts.descriptionHint}
        value={description}
        onChange={(description) => edit({ description })}
        maxLength={LIMITS.description}
      />
      <CheckField
        label={createSpaceTexts.isPrivate}
        hint={createSpaceTexts.privateHint}
        checked={visibility === 'private'}
        onChange={(isPrivate) => edit({ visibility: isPrivate ? 'private' : 'open' })}
      />
      <ChoiceList
        label={spaceTexts.ownersLabel}
        hint={spaceTexts.ownersHint}
        options={[...humans, ...unnamed].map(({ actorId, name }) => ({ value: actorId, label: name }))}
        selected={owners}
        onChange={(owners) => edit({ owners: [...owners] })}
      />
    </FormDialog>
  )
}
