import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { texts } from '../texts'
import { IconButton } from './Button'
import styles from './Panel.module.css'
import { Skeleton } from './Skeleton'
import { OneLine } from './Text'

/** The properties of every panel of a space. */
export interface PanelProps {
  readonly spaceId: string
  readonly onClose: () => void
}

interface PanelFrameProps {
  readonly title: string
  readonly subtitle?: string | null | undefined
  /** Buttons next to the title. */
  readonly actions?: ReactNode
  readonly onClose: () => void
  /** Whether paper shows it instead of the history. */
  readonly isPrinted?: boolean
  readonly children: ReactNode
  /** Fixed below the scrolling content. */
  readonly footer?: ReactNode
}

/** A panel next to the history of a space, or over it on narrow screens. */
export function Panel({ title, subtitle, actions, onClose, isPrinted, children, footer }: PanelFrameProps) {
  const id = useId()
  const [opener] = useState(() => document.activeElement)
  // Restores the focus to the opener on unmount, unless another element has it.
  useEffect(
    () => () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true })
    },
    [opener],
  )
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and a button do the same */}
      <div className={styles.backdrop} onClick={onClose} />
      <aside className={styles.panel} aria-labelledby={id} data-printed-alone={isPrinted}>
        <header className={styles.head}>
          <div className={styles.titles}>
            <h2 className={styles.title} id={id}>
              <OneLine>{title}</OneLine>
            </h2>
            {subtitle && (
              <small>
                <OneLine>{subtitle}</OneLine>
              </small>
            )}
          </div>
          {actions}
          <IconButton icon="close" label={texts.close} onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
        <section className={styles.body} tabIndex={0} aria-labelledby={id} onKeyDown={leaveField}>
          {children}
        </section>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </aside>
    </>
  )
}

/** Escape empties a search, then leaves the field, and only then closes the panel. */
function leaveField({ key, target, currentTarget }: KeyboardEvent<HTMLElement>): void {
  // The fields of a dialog that the panel opens are elsewhere.
  if (key !== 'Escape' || !(target instanceof HTMLElement) || !currentTarget.contains(target)) return
  const isFilled = target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''
  if (target.matches('input, select') && !isFilled) currentTarget.focus()
}

/** A panel whose data is loading. */
export const PanelSkeleton = ({ title, onClose }: Pick<PanelFrameProps, 'title' | 'onClose'>) => (
  <Panel title={title} onClose={onClose}>
    <Skeleton rows={4} />
  </Panel>
)
