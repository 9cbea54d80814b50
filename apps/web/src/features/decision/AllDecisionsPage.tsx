import type { Decision } from '@collab-spaces/client'
import { useSearchParams } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { SelectField } from '../../shared/components/Field'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { type DecisionFilter, useAllDecisions } from '../../shared/query/decision'
import { useNames } from '../../shared/query/names'
import { useMySpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import styles from './AllDecisionsPage.module.css'
import { DecisionCard } from './DecisionCard'
import { allDecisionsTexts, decisionsTexts } from './texts'

const isFilter = (value: string | null): value is DecisionFilter =>
  value !== null && Object.hasOwn(allDecisionsTexts.filters, value)

/** The decisions of all joined spaces, or of one: those that wait, or those in force. The address has the choice. */
export function AllDecisionsPage() {
  const [search, setSearch] = useSearchParams()
  const { data: spaces } = useMySpaces()
  const words = allDecisionsTexts
  useTitle(decisionsTexts.heading)
  const wanted = search.get('filter')
  const filter = isFilter(wanted) ? wanted : 'waiting'
  const spaceId = search.get('space') ?? ''
  const choose = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (value === '') after.delete(name)
      else after.set(name, value)
      return after
    })
  return (
    <PageFrame title={decisionsTexts.heading} lead={words.lead}>
      <search className={styles.choices}>
        <SelectField
          label={words.filter}
          value={filter}
          options={words.filters}
          onChange={(value) => choose('filter', value)}
        />
        <SelectField
          label={words.space}
          value={spaceId}
          options={[{ value: '', label: words.allSpaces }, ...(spaces ?? []).map(spaceOption)]}
          onChange={(value) => choose('space', value)}
        />
      </search>
      <Found filter={filter} spaceId={spaceId === '' ? undefined : spaceId} />
    </PageFrame>
  )
}

function Found({ filter, spaceId }: { readonly filter: DecisionFilter; readonly spaceId: string | undefined }) {
  const query = useAllDecisions({ filter, space_id: spaceId })
  const words = allDecisionsTexts
  return (
    <Loaded query={query} rows={5}>
      {(decisions) =>
        decisions.length === 0 ? (
          <EmptyState icon="decision" title={words.nothing[filter].title}>
            {words.nothing[filter].text}
          </EmptyState>
        ) : (
          <>
            <ul className={styles.cards} aria-label={words.filters[filter]}>
              {decisions.map((decision) => (
                <li key={decision.decision_id}>
                  <Card decision={decision} />
                </li>
              ))}
            </ul>
            {query.hasNextPage && (
              <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {words.more}
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  )
}

const Card = ({ decision }: { readonly decision: Decision }) => (
  <DecisionCard decision={decision} names={useNames(decision.space_id)} isSelected={false} hasSpace />
)
