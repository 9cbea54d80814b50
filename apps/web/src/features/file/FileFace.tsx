import type { ReactNode } from 'react'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import styles from './FileFace.module.css'
import { iconOf, type NamedFile } from './file-kind'

interface FileFaceProps {
  readonly file: NamedFile
  readonly name?: string
  /** Stands in place of the icon. */
  readonly picture?: ReactNode
  /** The lines below the name. */
  readonly children: ReactNode
}

/** A file in a chip or a row: its icon, its name, and what is said of it. */
export const FileFace = ({ file, name = file.name, picture, children }: FileFaceProps) => (
  <>
    <span className={styles.icon}>{picture ?? <Icon name={iconOf(file)} size={20} />}</span>
    <span className={styles.words}>
      <OneLine className={styles.name}>{name}</OneLine> {children}
    </span>
  </>
)
