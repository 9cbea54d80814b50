import { type ComponentProps, type ReactNode, useId } from 'react'
import { directionOf } from './direction'
import styles from './Field.module.css'
import { Icon } from './Icon'
import { type Options, Select } from './Select'

/** The attributes that link a control to its label, hint and error. */
interface ControlProps {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** The validation error. */
  readonly error?: string | null | undefined
  readonly children: (control: ControlProps) => ReactNode
}

/** A control with its label, hint and error. */
function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = `${id}-note`
  const control = {
    id,
    className: styles.control,
    'aria-describedby': error || hint ? note : undefined,
    'aria-invalid': error ? (true as const) : undefined,
  }
  return (
    <div className={styles.field} data-unprinted>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children(control)}
      {error ? (
        <p className={styles.error} id={note}>
          <Icon name="warning" size={14} /> {error}
        </p>
      ) : (
        hint && (
          <p className={styles.hint} id={note}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

type Label = Omit<FieldProps, 'children'>

interface TextFieldProps extends Label, Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onChange: (value: string) => void
}

export function TextField({ label, hint, error, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          type="text"
          dir={directionOf(rest.value)}
          // No suggestions unless a field overrides this.
          autoComplete="off"
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface TextAreaFieldProps extends Label, Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly onChange: (value: string) => void
}

export function TextAreaField({ label, hint, error, onChange, ...rest }: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={3}
          dir={directionOf(rest.value)}
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface SelectFieldProps<Value extends string> extends Label {
  readonly value: Value
  readonly options: Options<Value>
  readonly onChange: (value: Value) => void
}

export function SelectField<Value extends string>({ options, value, onChange, ...label }: SelectFieldProps<Value>) {
  return (
    <Field {...label}>{(control) => <Select {...control} value={value} options={options} onChange={onChange} />}</Field>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint ? `${id}-note` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className={styles.hint} id={`${id}-note`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** The name under which password managers save the key. */
export const HiddenUsername = ({ name }: { readonly name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
)
