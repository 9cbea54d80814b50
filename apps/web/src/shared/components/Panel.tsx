import { type ReactNode, useEffect, useId, useState } from 'react'
import { texts } from '../texts'
import { IconButton } from './Button'
import { OneLine } from './OneLine'
import styles from './Panel.module.css'
import { Skeleton } from './Skeleton'

/** The properties of every panel beside the history of a space. */
export interface PanelProps {
  readonly spaceId: string
  readonly onClose: () => void
}

interface PanelFrameProps {
  readonly title: string
  readonly subtitle?: string | null | undefined
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Stays below what scrolls. */
  readonly footer?: ReactNode
}

/** A panel beside the history of a space, and in front of it where there is no room. */
export function Panel({ title, subtitle, actions, onClose, children, footer }: PanelFrameProps) {
  const id = useId()
  const [opener] = useState(() => document.activeElement)
  // The keyboard goes back to where the panel was opened from, unless it is somewhere else by then.
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
      <aside className={styles.panel} aria-labelledby={id}>
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
        <section className={styles.body} tabIndex={0} aria-labelledby={id}>
          {children}
        </section>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </aside>
    </>
  )
}

/** In the place of a panel that is still being read. */
export const PanelToCome = ({ title, onClose }: Pick<PanelFrameProps, 'title' | 'onClose'>) => (
  <Panel title={title} onClose={onClose}>
    <Skeleton rows={4} />
  </Panel>
)
