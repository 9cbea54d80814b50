import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from './Icon'
import { Loaded, type LoadedProps } from './Loaded'
import { PageBar } from './PageBar'
import styles from './PageFrame.module.css'

interface PageFrameProps {
  /** A link to the parent page. */
  readonly back?: { readonly href: string; readonly label: string } | undefined
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A single-column page with a title. */
export function PageFrame({ back, title, lead, actions, children }: PageFrameProps) {
  return (
    <div className={styles.scroll}>
      <PageBar />
      <div className={styles.page}>
        <header className={styles.head}>
          <div className={styles.titles}>
            {back && (
              <Link href={back.href} className={styles.back} data-reach data-unprinted>
                <Icon name="back" size={14} /> {back.label}
              </Link>
            )}
            <h1>{title}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}

/** A page whose data is loading or failed to load. */
export const PageSkeleton = ({
  title,
  ...rest
}: { readonly title: string } & Omit<LoadedProps<unknown>, 'children'>) => (
  <PageFrame title={title}>
    <Loaded {...rest}>{() => null}</Loaded>
  </PageFrame>
)

interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
