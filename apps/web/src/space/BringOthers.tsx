import { useLocation } from 'wouter'
import { asking } from '../app/asked'
import { copyLink } from '../app/copy'
import { AGENTS, spacePath } from '../app/paths'
import { Button } from '../components/Button'
import { useSession } from '../session/session'
import { texts } from '../texts'
import styles from './BringOthers.module.css'

/** How others get into a space in which nobody has spoken yet. */
export function BringOthers({ spaceId }: { readonly spaceId: string }) {
  const { account } = useSession()
  const [, navigate] = useLocation()
  return (
    <div className={styles.ways}>
      <Button icon="link" onClick={() => void copyLink(spacePath(spaceId))}>
        {texts.space.copyLink}
      </Button>
      {account.kind === 'human' && (
        <Button icon="agent" onClick={() => navigate(asking(AGENTS, 'new'))}>
          {texts.agents.add}
        </Button>
      )}
    </div>
  )
}
