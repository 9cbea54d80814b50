import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextField } from '../../shared/components/Field'
import { useCreateLink } from '../../shared/query/link'
import { useSpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { linksTexts } from './texts'

/** Links a space to another one, or to a page. */
export function CreateLink({ spaceId, onClose }: { readonly spaceId: string; readonly onClose: () => void }) {
  const [kind, setKind] = useState<'space' | 'page'>('space')
  const [target, setTarget] = useState('')
  const [address, setAddress] = useState('')
  const [type, setType] = useState('')
  const { data: spaces } = useSpaces()
  const create = useCreateLink(spaceId)
  const words = linksTexts
  const others = (spaces ?? []).filter(({ space_id }) => space_id !== spaceId)

  const submit = () => {
    const where = kind === 'space' ? { target_id: target } : { target_uri: address.trim() }
    create.mutate({ ...where, link_type: type.trim() || undefined }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={words.add}
      request={create}
      submit={texts.add}
      isPossible={kind !== 'space' || target !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField label={words.kind} value={kind} options={words.kinds} onChange={setKind} />
      {kind === 'space' ? (
        <SelectField
          label={words.space}
          value={target}
          options={[{ value: '', label: texts.choose }, ...others.map(spaceOption)]}
          onChange={setTarget}
        />
      ) : (
        <TextField
          label={words.address}
          type="url"
          autoComplete="url"
          placeholder="https://"
          value={address}
          onChange={setAddress}
          maxLength={LIMITS.uri}
          required
        />
      )}
      <TextField label={words.type} hint={words.typeHint} value={type} onChange={setType} maxLength={LIMITS.linkType} />
    </FormDialog>
  )
}
