import { useLocation, useParams } from 'wouter'
import { useShortcut } from '../../shared/browser/shortcut'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { IconLink } from '../../shared/components/IconLink'
import { Loaded } from '../../shared/components/Loaded'
import { NavigationButton } from '../../shared/components/PageBar'
import { PanelSkeleton } from '../../shared/components/Panel'
import { OneLine } from '../../shared/components/Text'
import { useDialogParam } from '../../shared/navigation/dialog-param'
import { decisionsPath, spacePath } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { useDecisions } from '../../shared/query/decision'
import { useNames } from '../../shared/query/names'
import { useSpace } from '../../shared/query/space'
import { useSpaceName } from '../../shared/query/space-name'
import { PolicyLine } from '../policy/PolicyLine'
import { Board } from './Board'
import { DecisionPanel } from './DecisionPanel'
import styles from './DecisionsPage.module.css'
import { ProposeDialog } from './ProposeDialog'
import { decisionsTexts, decisionTexts, proposeTexts } from './texts'

/** The decisions of a space, with a panel for the selected one. */
export function DecisionsPage() {
  const { spaceId = '', decisionId } = useParams<{ spaceId: string; decisionId?: string }>()
  const [, navigate] = useLocation()
  const [isProposing, setIsProposing] = useDialogParam('propose')
  const { data: space } = useSpace(spaceId)
  const query = useDecisions(spaceId)
  const { data: decisions } = query
  const names = useNames(spaceId)
  const words = decisionsTexts
  const name = useSpaceName(spaceId)
  useTitle(words.title(name))
  const close = () => navigate(decisionsPath(spaceId))
  const propose = () => setIsProposing(true)
  const canPropose = space?.status === 'active'
  useShortcut('Escape', () => decisionId !== undefined && close())
  useShortcut('p', () => canPropose && propose())
  const selected = decisions?.find(({ decision_id }) => decision_id === decisionId)

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
              {proposeTexts.submit}
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
                  action={canPropose && <Button onClick={propose}>{proposeTexts.submit}</Button>}
                >
                  {words.emptyText}
                </EmptyState>
              ) : (
                <Board decisions={decisions} names={names} selectedId={decisionId ?? null} />
              )
            }
          </Loaded>
        </div>
      </div>
      {decisionId && decisions && (
        <DecisionPanel
          key={decisionId}
          decision={selected}
          decisions={decisions}
          names={names}
          canPropose={canPropose}
          onClose={close}
        />
      )}
      {decisionId && query.isLoading && <PanelSkeleton title={decisionTexts.title} onClose={close} />}
      {isProposing && <ProposeDialog spaceId={spaceId} names={names} onClose={() => setIsProposing(false)} />}
    </div>
  )
}
