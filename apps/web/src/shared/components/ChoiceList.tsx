import { type ReactNode, useId, useState } from 'react'
import { texts } from '../texts'
import styles from './ChoiceList.module.css'
import { classes } from './classes'
import field from './Field.module.css'
import { hasWords } from './filter'
import type { Option } from './Select'

interface ChoiceListProps<Value extends string> {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly Option<Value>[]
  readonly selected: readonly Value[]
  readonly onChange: (selected: readonly Value[]) => void
  /** Whether options are loading: reserves the height of a long list, and keeps it. */
  readonly isAwaited?: boolean
}

/** Longer lists have a filter. */
const MAX_UNFILTERED = 12

/** A list of checkboxes. A long one has a filter, which keeps checked options visible. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { label, hint, options, selected, onChange, isAwaited = false } = props
  const id = useId()
  const [words, setWords] = useState('')
  const [wasAwaited] = useState(isAwaited)
  const shown = options.filter(({ value, label }) => selected.includes(value) || hasWords(label, words))
  return (
    <fieldset className={styles.choices} aria-describedby={hint ? `${id}-note` : undefined}>
      <legend>{label}</legend>
      <div className={classes(styles.place, wasAwaited && styles.full)}>
        {options.length > MAX_UNFILTERED && (
          <input
            type="search"
            className={styles.filter}
            aria-label={`${texts.filter}: ${label}`}
            placeholder={texts.filter}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            // Enter in the filter must not submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <div className={styles.options}>
          {shown.length === 0 && !isAwaited && <p className={styles.nothing}>{texts.nothingFound}</p>}
          {shown.map(({ value, label }) => (
            <label key={value} className={styles.option}>
              <input
                type="checkbox"
                checked={selected.includes(value)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...selected, value] : selected.filter((one) => one !== value))
                }
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </div>
      {hint && (
        <p className={classes(field.hint, styles.note)} id={`${id}-note`}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}
