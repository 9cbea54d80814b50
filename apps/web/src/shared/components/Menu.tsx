import { ContextMenu as Context } from '@base-ui/react/context-menu'
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import styles from './Menu.module.css'
import { type Options, optionsOf } from './Select'

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly align?: 'start' | 'end' | undefined
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** A menu that opens at a button. */
export function Menu({ trigger, align = 'end', onOpenChange, children }: MenuProps) {
  return (
    <Base.Root onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} align={align} sideOffset={6}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ContextMenuProps {
  /** The element at which it opens: by a right click, a long touch or the menu key. */
  readonly trigger: ReactElement
  readonly children: ReactNode
}

/** A menu of what can also be done elsewhere. */
export function ContextMenu({ trigger, children }: ContextMenuProps) {
  return (
    <Context.Root>
      <Context.Trigger render={trigger} />
      <Context.Portal>
        <Context.Positioner className={styles.positioner}>
          <Context.Popup className={styles.popup}>{children}</Context.Popup>
        </Context.Positioner>
      </Context.Portal>
    </Context.Root>
  )
}

interface MenuItemProps {
  readonly icon?: IconName | undefined
  readonly onSelect: () => void
  readonly isDanger?: boolean | undefined
  readonly isDisabled?: boolean | undefined
  /** Content at the end, such as a shortcut. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function MenuItem({ icon, onSelect, isDanger, isDisabled, aside, children }: MenuItemProps) {
  return (
    <Base.Item
      className={styles.item}
      onClick={onSelect}
      data-danger={isDanger || undefined}
      disabled={isDisabled ?? false}
    >
      {icon && <Icon name={icon} size={16} />}
      <span className={styles.words}>{children}</span>
      {aside}
    </Base.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: Options<Value>
  readonly onChange: (value: Value) => void
}

/** A group of radio items in a menu. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      <div className={styles.label} aria-hidden="true">
        {label}
      </div>
      {optionsOf(options).map((option) => (
        <Base.RadioItem key={option.value} className={styles.item} value={option.value} closeOnClick>
          <span className={styles.words}>{option.label}</span>
          <Base.RadioItemIndicator className={styles.indicator}>
            <Icon name="check" size={16} />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />
}
