import { LIMITS, SpacesError } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { spacePath } from '../app/paths'
import { Dialog, DialogForm } from '../components/Dialog'
import { CheckField, TextAreaField, TextField } from '../components/Field'
import { useCreateSpace } from '../query/space'
import { texts } from '../texts'

const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._:@~-]*$/

export function CreateSpace({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [spaceId, setSpaceId] = useState('')
  const [description, setDescription] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [, navigate] = useLocation()
  const create = useCreateSpace()
  const words = texts.createSpace
  const isTaken = create.error instanceof SpacesError && create.error.status === 409

  const isMalformed = spaceId !== '' && !SPACE_ID.test(spaceId)

  const submit = () => {
    if (isMalformed) return
    create.mutate(
      { space_id: spaceId, description, ...(isPrivate && { visibility: 'private' as const }) },
      {
        onSuccess: () => {
          onClose()
          navigate(spacePath(spaceId))
        },
      },
    )
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <DialogForm
        asked={isTaken ? { ...create, error: null } : create}
        submit={words.submit}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField
          label={words.id}
          hint={words.idHint}
          error={isTaken ? words.taken : isMalformed ? words.malformed : null}
          value={spaceId}
          // Most people type words: they become the name that they would have chosen.
          onChange={(typed) => {
            setSpaceId(typed.replace(/\s/g, '-'))
            create.reset()
          }}
          maxLength={LIMITS.spaceId}
          autoComplete="off"
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
      </DialogForm>
    </Dialog>
  )
}
