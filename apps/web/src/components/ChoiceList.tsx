import { type ReactNode, useId } from 'react'
import styles from './ChoiceList.module.css'

interface ChoiceListProps<Value extends string> {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
}

/** Any number of several, as boxes to tick. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { label, hint, options, chosen, onChange } = props
  const id = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={hint ? `${id}-note` : undefined}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.options}>
        {options.map(({ value, label }) => (
          <label key={value} className={styles.option}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p className={styles.hint} id={`${id}-note`}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}
