import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../../shared/components/Dialog'
import { CheckField, TextAreaField, TextField } from '../../shared/components/Field'
import { hasStatus } from '../../shared/explain'
import { spacePath } from '../../shared/navigation/paths'
import { useCreateSpace, useSpaces } from '../../shared/query/space'
import { createSpaceTexts } from '../space/texts'
import { idFor, isSpaceId } from './space-id'
import { homeTexts } from './texts'

export function CreateSpace({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [title, setTitle] = useState('')
  /** Null while the name follows the title. */
  const [selectedId, setSelectedId] = useState<string | null>(null)
  /** Suggested names that spaces have which this account cannot see. */
  const [refused, setRefused] = useState<readonly string[]>([])
  const [description, setDescription] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [, navigate] = useLocation()
  const create = useCreateSpace()
  const words = createSpaceTexts
  const isTaken = hasStatus(create.error, 409)
  const { data: spaces = [] } = useSpaces()
  const spaceId = selectedId ?? idFor(title, [...spaces.map(({ space_id }) => space_id), ...refused])
  const isMalformed = spaceId !== '' && !isSpaceId(spaceId)

  const submit = () => {
    if (isMalformed) return
    create.mutate(
      { space_id: spaceId, title, description, ...(isPrivate && { visibility: 'private' as const }) },
      {
        onSuccess: () => {
          onClose()
          navigate(spacePath(spaceId))
        },
        onError: (error) => hasStatus(error, 409) && setRefused([...refused, spaceId]),
      },
    )
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title={homeTexts.create}
      request={isTaken ? { ...create, error: null } : create}
      submit={words.submit}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words.spaceTitle}
        hint={words.spaceTitleHint}
        value={title}
        onChange={(typed) => {
          setTitle(typed)
          create.reset()
        }}
        maxLength={LIMITS.title}
      />
      <TextField
        label={words.id}
        hint={words.idHint}
        error={isTaken ? words.taken(create.variables?.space_id ?? spaceId) : isMalformed ? words.malformed : null}
        value={spaceId}
        // Spaces become hyphens as they are typed.
        onChange={(typed) => {
          setSelectedId(typed.replace(/\s/g, '-'))
          create.reset()
        }}
        maxLength={LIMITS.spaceId}
        spellCheck={false}
        required
      />
      <TextAreaField
        label={words.description}
        hint={words.descriptionHint}
        value={description}
        onChange={setDescription}
        maxLength={LIMITS.description}
      />
      <CheckField label={words.isPrivate} hint={words.privateHint} checked={isPrivate} onChange={setPrivate} />
    </FormDialog>
  )
}
