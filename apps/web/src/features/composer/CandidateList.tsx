import type { ReactNode } from 'react'
import { Avatar } from '../../shared/components/Avatar'
import { classes } from '../../shared/components/classes'
import { OneLine } from '../../shared/components/Text'
import type { Emoji } from '../../shared/emoji/emojis'
import { texts } from '../../shared/texts'
import styles from './CandidateList.module.css'
import type { MentionCandidate } from './mentions'
import { composerTexts } from './texts'

interface CandidateListProps<T> {
  readonly id: string
  readonly label: string
  readonly found: readonly T[]
  readonly active: number
  readonly onChoose: (one: T) => void
  /** Whether it is shown below the field, not above it. */
  readonly isBelow?: boolean
  /** Shows a candidate. */
  readonly row: (one: T) => ReactNode
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** The candidates for what is typed. The focus stays in the text field. */
export function CandidateList<T>({ id, label, found, active, onChoose, isBelow, row }: CandidateListProps<T>) {
  return (
    <div className={classes(styles.list, isBelow && styles.below)} id={id} role="listbox" aria-label={label}>
      {found.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no state
          key={index}
          id={optionId(id, index)}
          className={styles.option}
          role="option"
          aria-selected={index === active}
          // Otherwise the text would lose the focus before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          {row(one)}
        </div>
      ))}
    </div>
  )
}

/** An actor that can be mentioned. */
export const mentionRow = ({ participant_id, name, participant_type, isOutside }: MentionCandidate): ReactNode => (
  <>
    <Avatar id={participant_id} name={name} kind={participant_type} size="small" />
    <OneLine className={styles.name}>{name}</OneLine>
    <span className={styles.kind}>{isOutside ? composerTexts.outside : texts.speakers[participant_type]}</span>
  </>
)

export const emojiRow = ({ emoji, name }: Emoji): ReactNode => (
  <>
    <span className={styles.emoji}>{emoji}</span>
    <OneLine className={styles.name}>{name}</OneLine>
  </>
)
