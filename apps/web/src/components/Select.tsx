import type { ComponentProps } from 'react'
import { classes } from './classes'
import { Icon } from './Icon'
import styles from './Select.module.css'

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'onChange'> {
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

/** One of several, in the browser's own list: that is what phones and screen readers know best. */
export function Select<Value extends string>({ options, onChange, className, ...rest }: SelectProps<Value>) {
  return (
    <span className={styles.frame}>
      <select
        {...rest}
        className={classes(className, styles.select)}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={16} />
    </span>
  )
}
