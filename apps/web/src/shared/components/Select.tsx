import type { ComponentProps } from 'react'
import { classes } from './classes'
import { Icon } from './Icon'
import styles from './Select.module.css'

/** An option of a select. */
export interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
}

/** Options in order: a list, or labels by value as in `texts.ts`. */
export type Options<Value extends string> = readonly Option<Value>[] | Readonly<Record<Value, string>>

export function optionsOf<Value extends string>(options: Options<Value>): readonly Option<Value>[] {
  if (Array.isArray(options)) return options
  return (Object.entries(options) as [Value, string][]).map(([value, label]) => ({ value, label }))
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'onChange'> {
  readonly value: Value
  readonly options: Options<Value>
  readonly onChange: (value: Value) => void
}

/** A native select, which phones and screen readers support best. */
export function Select<Value extends string>({ options, onChange, className, ...rest }: SelectProps<Value>) {
  return (
    <span className={styles.frame}>
      <select
        {...rest}
        className={classes(className, styles.select)}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {optionsOf(options).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={16} />
    </span>
  )
}
