import { useLocation } from 'wouter'
import { copyLink } from '../../shared/browser/copy'
import { Button } from '../../shared/components/Button'
import { dialogPath } from '../../shared/navigation/dialog-param'
import { AGENTS, spacePath } from '../../shared/navigation/paths'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import styles from './EmptySpaceActions.module.css'

/** The actions on an empty space: copy its link, add an agent. */
export function EmptySpaceActions({ spaceId }: { readonly spaceId: string }) {
  const { account } = useSession()
  const [, navigate] = useLocation()
  return (
    <div className={styles.ways}>
      <Button icon="link" onClick={() => void copyLink(spacePath(spaceId))}>
        {texts.copyLink}
      </Button>
      {account.kind === 'human' && (
        <Button icon="agent" onClick={() => navigate(dialogPath(AGENTS, 'new'))}>
          {texts.agents.add}
        </Button>
      )}
    </div>
  )
}
