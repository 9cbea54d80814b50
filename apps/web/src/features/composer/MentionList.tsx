import type { Participant } from '@collab-spaces/client'
import { Avatar } from '../../shared/components/Avatar'
import { OneLine } from '../../shared/components/Text'
import { texts } from '../../shared/texts'
import styles from './MentionList.module.css'
import { composerTexts } from './texts'

interface MentionListProps {
  readonly id: string
  readonly found: readonly Participant[]
  readonly active: number
  readonly onChoose: (participant: Participant) => void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** The participants that match the typed name. The focus stays in the text field. */
export function MentionList({ id, found, active, onChoose }: MentionListProps) {
  return (
    <div className={styles.list} id={id} role="listbox" aria-label={composerTexts.mentions}>
      {found.map((participant, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div
          key={participant.participant_id}
          id={optionId(id, index)}
          className={styles.option}
          role="option"
          aria-selected={index === active}
          // Otherwise the text would lose the focus before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(participant)}
        >
          <Avatar
            id={participant.participant_id}
            name={participant.name}
            kind={participant.participant_type}
            size="small"
          />
          <OneLine className={styles.name}>{participant.name}</OneLine>
          <span className={styles.kind}>{texts.speakers[participant.participant_type]}</span>
        </div>
      ))}
    </div>
  )
}
