import { Button } from '../../shared/components/Button'
import { useUnclearMentions } from '../../shared/query/mention'
import { useAddParticipant } from '../../shared/query/space'
import { toastError } from '../../shared/toast'
import { type MentionCandidate, outsiderNamed } from './mentions'
import { useCanAddTo, useMentionCandidates } from './outsiders'
import { composerTexts } from './texts'
import styles from './UnclearMentions.module.css'

interface UnclearMentionsProps {
  readonly spaceId: string
  /** The text so far. */
  readonly text: string
  /** The IDs of participants selected from the list. */
  readonly selectedIds: readonly string[]
}

/** Warns about names in the text that match no participant, or more than one, and offers to add other members. */
export function UnclearMentions({ spaceId, text, selectedIds }: UnclearMentionsProps) {
  const unclear = useUnclearMentions(spaceId, text)
  const candidates = useMentionCandidates(spaceId)
  const unresolved = unclear.filter(({ participant_ids }) => !participant_ids.some((id) => selectedIds.includes(id)))
  const outsiders = candidates.filter(({ isOutside }) => isOutside).map((one) => ({ ...one, id: one.actor_id }))
  return (
    <div role="status">
      {unresolved.map(({ name, participant_ids }) => {
        const outsider = participant_ids.length === 0 ? outsiderNamed(text, name, outsiders) : null
        return (
          <p key={name} className={styles.unclear}>
            {outsider ? (
              <Outside spaceId={spaceId} outsider={outsider} />
            ) : (
              composerTexts.unclear(name, participant_ids.length)
            )}
          </p>
        )
      })}
    </div>
  )
}

function Outside({ spaceId, outsider }: { readonly spaceId: string; readonly outsider: MentionCandidate }) {
  const { actor_id, name } = outsider
  const canAdd = useCanAddTo(spaceId)
  const add = useAddParticipant(spaceId)
  return (
    <>
      {composerTexts.outsideText(name)}{' '}
      {canAdd && (
        <Button size="small" isBusy={add.isPending} onClick={() => add.mutate(actor_id, { onError: toastError })}>
          {composerTexts.addOutsider(name)}
        </Button>
      )}
    </>
  )
}
