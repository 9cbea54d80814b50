import type { SpaceDetails } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { SelectField } from '../../shared/components/Field'
import { useAddParticipant } from '../../shared/query/space'
import { useMembers } from '../../shared/query/tenant'
import { texts } from '../../shared/texts'
import styles from './ParticipantsPanel.module.css'
import { participantsTexts } from './texts'

/** Adds a member of the tenant to a space, for its owners. */
export function AddParticipant({ space }: { readonly space: SpaceDetails }) {
  const { data: members = [] } = useMembers()
  const [selected, setSelected] = useState('')
  const add = useAddParticipant(space.space_id)
  const words = participantsTexts
  const inside = new Set(space.participants.map(({ actor_id }) => actor_id))
  const others = members.filter(({ actor_id }) => !inside.has(actor_id))
  if (others.length === 0) return null
  const options = others.map(({ actor_id, display_name }) => ({ value: actor_id, label: display_name }))
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (selected !== '') add.mutate(selected, { onSuccess: () => setSelected('') })
      }}
    >
      <SelectField
        label={words.add}
        hint={words.addHint}
        options={[{ value: '', label: texts.choose }, ...options]}
        value={selected}
        onChange={setSelected}
      />
      <Button type="submit" size="small" isBusy={add.isPending}>
        {texts.add}
      </Button>
      {add.isError && <ErrorNote error={add.error} />}
    </form>
  )
}
