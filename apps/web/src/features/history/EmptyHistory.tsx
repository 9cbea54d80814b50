import type { SpaceDetails } from '@collab-spaces/client'
import { useLocation } from 'wouter'
import { copyLink } from '../../shared/browser/copy'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { dialogPath } from '../../shared/navigation/dialog-param'
import { AGENTS, panelPath, spacePath } from '../../shared/navigation/paths'
import { useCanManageSpace, useMemberRights } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { isConversation, useSpaceName } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import styles from './EmptyHistory.module.css'
import { historyTexts } from './texts'

interface EmptyHistoryProps {
  readonly spaceId: string
  /** Whether the account can post here now. */
  readonly canWrite: boolean
}

/** Shown instead of an empty history: who reads it, and how to bring in more readers. */
export function EmptyHistory({ spaceId, canWrite }: EmptyHistoryProps) {
  const { data: space } = useSpace(spaceId)
  const name = useSpaceName(spaceId)
  const words = historyTexts
  if (!canWrite) {
    return (
      <EmptyState icon="thread" title={words.silentTitle}>
        {words.silentText}
      </EmptyState>
    )
  }
  if (isConversation(spaceId)) {
    return (
      <EmptyState icon="people" title={words.conversationTitle(name)}>
        {words.conversationText}
      </EmptyState>
    )
  }
  const isPrivate = space?.visibility === 'private'
  return (
    <EmptyState icon="thread" title={words.emptyTitle} action={space && <Actions space={space} />}>
      {isPrivate ? words.privateText : words.emptyText}
    </EmptyState>
  )
}

/** The link of an open space, or the participants of a private one, whose link leads nowhere for others. */
function Actions({ space }: { readonly space: SpaceDetails }) {
  const { space_id: spaceId, visibility } = space
  const { account } = useSession()
  const [, navigate] = useLocation()
  const canManage = useCanManageSpace(space)
  const { canAddAgents, canAddParticipants } = useMemberRights()
  return (
    <div className={styles.ways}>
      {visibility === 'open' ? (
        <Button icon="link" onClick={() => void copyLink(spacePath(spaceId))}>
          {texts.copyLink}
        </Button>
      ) : (
        canManage &&
        canAddParticipants && (
          <Button icon="people" onClick={() => navigate(panelPath(spaceId, 'people'))}>
            {historyTexts.addPeople}
          </Button>
        )
      )}
      {account.kind === 'human' && canAddAgents && (
        <Button icon="agent" onClick={() => navigate(dialogPath(AGENTS, 'new'))}>
          {texts.agents.add}
        </Button>
      )}
    </div>
  )
}
