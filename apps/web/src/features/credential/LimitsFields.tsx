import { useState } from 'react'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { CheckField, SelectField } from '../../shared/components/Field'
import { useMySpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import styles from './LimitsFields.module.css'
import { type LimitsDraft, SCOPES } from './limits'
import { limitsTexts } from './texts'

interface LimitsFieldsProps {
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
}

/** The limits of a token or of an agent's key: scopes, spaces and expiry. */
export function LimitsFields({ draft, onChange }: LimitsFieldsProps) {
  const { data: spaces = [], isLoading } = useMySpaces()
  // A field shown while spaces load stays, even if there are none, to avoid a layout shift.
  const [wasAwaited] = useState(isLoading)
  const words = limitsTexts
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend>{words.scopes}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={words.scopeNames[scope]}
            hint={words.scopeHints[scope]}
            checked={draft.scopes.includes(scope)}
            onChange={(isChecked) =>
              onChange({
                ...draft,
                scopes: isChecked ? [...draft.scopes, scope] : draft.scopes.filter((one) => one !== scope),
              })
            }
          />
        ))}
      </fieldset>
      {(wasAwaited || spaces.length > 0) && (
        <ChoiceList
          label={words.spaces}
          hint={words.spacesHint}
          options={spaces.map(spaceOption)}
          isAwaited={isLoading}
          selected={draft.spaceIds}
          onChange={(spaceIds) => onChange({ ...draft, spaceIds })}
        />
      )}
      <SelectField
        label={words.lifetime}
        value={draft.lifetime}
        options={words.lifetimes}
        onChange={(lifetime) => onChange({ ...draft, lifetime })}
      />
    </>
  )
}
