import { useUnclearMentions } from '../../shared/query/mention'
import { composerTexts } from './texts'
import styles from './UnclearMentions.module.css'

interface UnclearMentionsProps {
  readonly spaceId: string
  /** The text so far. */
  readonly text: string
  /** The IDs of participants selected from the list. */
  readonly meant: readonly string[]
}

/** Warns about names in the text that match no participant or several. */
export function UnclearMentions({ spaceId, text, meant }: UnclearMentionsProps) {
  const unclear = useUnclearMentions(spaceId, text)
  const open = unclear.filter(({ participant_ids }) => !participant_ids.some((id) => meant.includes(id)))
  return (
    <div role="status">
      {open.map(({ name, participant_ids }) => (
        <p key={name} className={styles.unclear}>
          {composerTexts.unclear(name, participant_ids.length)}
        </p>
      ))}
    </div>
  )
}
