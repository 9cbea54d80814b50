import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextField } from '../../shared/components/Field'
import { type Me, useChangeProfile, useMe } from '../../shared/query/actor'
import { useChangePicture } from '../../shared/query/picture'
import { type PictureChoice, PictureField } from '../picture/PictureField'
import { profileTexts } from './texts'

interface EditProfileProps {
  readonly onClose: () => void
}

/** Changes the name and the card of this account. Messages keep the name that they were posted with. */
export function EditProfile({ onClose }: EditProfileProps) {
  const { data: me } = useMe()
  return me ? <ProfileForm me={me} onClose={onClose} /> : null
}

function ProfileForm({ me, onClose }: EditProfileProps & { readonly me: Me }) {
  const [name, setName] = useState(me.display_name)
  const [title, setTitle] = useState(me.title ?? '')
  const [zone, setZone] = useState(me.time_zone ?? '')
  const [picture, setPicture] = useState<PictureChoice>()
  const change = useChangeProfile()
  const changePicture = useChangePicture(me.actor_id)
  const words = profileTexts
  const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = new Set(['', zoneHere, me.time_zone ?? '', ...Intl.supportedValuesOf('timeZone')])
  const save = () =>
    change.mutate({ display_name: name, title: title.trim() || null, time_zone: zone || null }, { onSuccess: onClose })
  const submit = () => (picture === undefined ? save() : changePicture.mutate(picture, { onSuccess: save }))
  const request = {
    isPending: changePicture.isPending || change.isPending,
    error: changePicture.error ?? change.error,
  }
  return (
    <FormDialog title={words.heading} request={request} onClose={onClose} onSubmit={submit}>
      <PictureField
        actorId={me.actor_id}
        name={name}
        kind={me.actor_type}
        hasPicture={me.picture !== null}
        value={picture}
        onChange={setPicture}
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={LIMITS.displayName}
        required
      />
      <TextField
        label={words.title}
        hint={words.titleHint}
        value={title}
        onChange={setTitle}
        autoComplete="organization-title"
        maxLength={LIMITS.actorTitle}
      />
      <SelectField
        label={words.zone}
        hint={words.zoneHint}
        value={zone}
        options={[...zones].map((value) => ({ value, label: value === '' ? words.noZone : value }))}
        onChange={setZone}
      />
    </FormDialog>
  )
}
