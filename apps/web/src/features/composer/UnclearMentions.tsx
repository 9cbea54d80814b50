import { useUnclearMentions } from '../../shared/query/mention'
import { composerTexts } from './texts'
import styles from './UnclearMentions.module.css'

interface UnclearMentionsProps {
  readonly spaceId: string
  /** The text so far. */
  readonly text: string
  /** The IDs of participants selected from the list. */
  readonly selectedIds: readonly string[]
}

/** Warns about names in the text that match no participant, or more than one. */
export function UnclearMentions({ spaceId, text, selectedIds }: UnclearMentionsProps) {
  const unclear = useUnclearMentions(spaceId, text)
  const unresolved = unclear.filter(({ participant_ids }) => !participant_ids.some((id) => selectedIds.includes(id)))
  return (
    <div role="status">
      {unresolved.map(({ name, participant_ids }) => (
        <p key={name} className={styles.unclear}>
          {composerTexts.unclear(name, participant_ids.length)}
        </p>
      ))}
    </div>
  )
}
