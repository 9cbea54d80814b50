import type { SpaceDetails } from '@collab-spaces/client'
import { Button } from '../../shared/components/Button'
import { Icon } from '../../shared/components/Icon'
import { useNames } from '../../shared/query/names'
import { useCanManageSpace } from '../../shared/query/permission'
import { useChangeSpace, useUnarchiveSpace } from '../../shared/query/space'
import { isConversation } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { toastError } from '../../shared/toast'
import styles from './ClosedNote.module.css'
import { closedTexts } from './texts'

interface ClosedNoteProps {
  readonly space: SpaceDetails
}

/** Replaces the composer in a paused or archived space, and says who can reopen it. */
export function ClosedNote({ space }: ClosedNoteProps) {
  const { space_id, status, owners } = space
  const { nameOf } = useNames(space_id)
  const canManage = useCanManageSpace(space)
  const change = useChangeSpace(space_id)
  const unarchive = useUnarchiveSpace(space_id)
  const isPaused = status === 'paused'
  const canReopen = isPaused || canUnarchive(space)
  return (
    <div className={styles.note}>
      <Icon name={isPaused ? 'pause' : 'archive'} />
      <p>
        {isPaused ? closedTexts.paused : closedTexts.archived}
        {canReopen && !canManage && ` ${closedTexts.ownersReopen(owners.map(nameOf))}`}
      </p>
      {canReopen && canManage && (
        <Button
          size="small"
          isBusy={change.isPending || unarchive.isPending}
          onClick={() =>
            isPaused
              ? change.mutate({ status: 'active' }, { onError: toastError })
              : unarchive.mutate(undefined, { onError: toastError })
          }
        >
          {isPaused ? texts.activate : closedTexts.unarchive}
        </Button>
      )}
    </div>
  )
}

const UNARCHIVE_MS = 30 * 86_400_000

const canUnarchive = ({ space_id, ended_at }: SpaceDetails) =>
  ended_at !== null && (isConversation(space_id) || Date.now() - Date.parse(ended_at) < UNARCHIVE_MS)
