import { useLocation, useParams } from 'wouter'
import { useAsked } from '../app/asked'
import { NavigationButton } from '../app/PageBar'
import { decisionsPath, spacePath } from '../app/paths'
import { useShortcut } from '../app/shortcut'
import { useTitle } from '../app/title'
import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { IconLink } from '../components/IconLink'
import { Loaded } from '../components/Loaded'
import { OneLine } from '../components/OneLine'
import { PanelToCome } from '../components/Panel'
import { PolicyLine } from '../policy/PolicyLine'
import { useDecisions } from '../query/decision'
import { useNames } from '../query/names'
import { useSpace } from '../query/space'
import { useSpaceName } from '../query/space-name'
import { texts } from '../texts'
import { Board } from './Board'
import { DecisionPanel } from './DecisionPanel'
import styles from './DecisionsPage.module.css'
import { ProposeDialog } from './ProposeDialog'

/** The decisions of a space, and beside them one of them with its acts. */
export function DecisionsPage() {
  const { spaceId = '', decisionId } = useParams<{ spaceId: string; decisionId?: string }>()
  const [, navigate] = useLocation()
  const [isProposing, setIsProposing] = useAsked('propose')
  const { data: space } = useSpace(spaceId)
  const query = useDecisions(spaceId)
  const { data: decisions } = query
  const names = useNames(spaceId)
  const words = texts.decisions
  const name = useSpaceName(spaceId)
  useTitle(words.title(name))
  const close = () => navigate(decisionsPath(spaceId))
  const propose = () => setIsProposing(true)
  const canPropose = space?.status === 'active'
  useShortcut('Escape', () => decisionId !== undefined && close())
  useShortcut('p', () => canPropose && propose())
  const chosen = decisions?.find(({ decision_id }) => decision_id === decisionId)

  return (
    <div className={styles.page}>
      <div className={styles.center}>
        <header className={styles.header}>
          <NavigationButton />
          <IconLink href={spacePath(spaceId)} icon="back" label={words.back(name)} />
          <div className={styles.titles}>
            <h1>{words.heading}</h1>
            <small>
              <OneLine>{name}</OneLine>
            </small>
          </div>
          {canPropose && (
            <Button look="primary" icon="plus" onClick={propose}>
              {texts.propose.submit}
            </Button>
          )}
        </header>
        <div className={styles.scroll}>
          <PolicyLine spaceId={spaceId} names={names} />
          <Loaded query={query} rows={5}>
            {(decisions) =>
              decisions.length === 0 ? (
                <EmptyState
                  icon="decision"
                  title={words.emptyTitle}
                  action={canPropose && <Button onClick={propose}>{texts.propose.submit}</Button>}
                >
                  {words.emptyText}
                </EmptyState>
              ) : (
                <Board decisions={decisions} names={names} chosenId={decisionId ?? null} />
              )
            }
          </Loaded>
        </div>
      </div>
      {decisionId && decisions && (
        <DecisionPanel
          key={decisionId}
          decision={chosen}
          decisions={decisions}
          names={names}
          canPropose={canPropose}
          onClose={close}
        />
      )}
      {decisionId && query.isLoading && <PanelToCome title={texts.decision.title} onClose={close} />}
      {isProposing && <ProposeDialog spaceId={spaceId} names={names} onClose={() => setIsProposing(false)} />}
    </div>
  )
}
