import type { ComponentProps, ReactElement } from 'react'
import styles from './Button.module.css'
import { classes } from './classes'
import { Icon, type IconName } from './Icon'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` for the main action, `danger` for irreversible ones, `plain` for secondary ones. */
  readonly look?: 'primary' | 'quiet' | 'plain' | 'danger' | undefined
  readonly size?: 'small' | 'medium' | undefined
  readonly icon?: IconName | undefined
  /** Whether its request is pending: disables it and shows a spinner. */
  readonly isBusy?: boolean | undefined
}

export function Button({ look = 'quiet', size = 'medium', icon, isBusy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      data-unprinted
      {...rest}
      className={classes(styles.button, styles[look], styles[size], className)}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    >
      {isBusy ? <span className={styles.spinner} aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName | ReactElement
  /** The accessible name and tooltip. */
  readonly label: string
  readonly size?: 'small' | 'medium' | undefined
}

/** A button with only an icon. Paper has no buttons. */
export function IconButton({ icon, label, size = 'medium', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      data-unprinted
      aria-label={label}
      title={label}
      {...rest}
      className={classes(styles.iconButton, styles[size], className)}
    >
      {typeof icon === 'string' ? <Icon name={icon} size={size === 'small' ? 16 : 18} /> : icon}
    </button>
  )
}
