import { type DecisionMatch, excerptParts, type Match, shownTime } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { SelectField } from '../../shared/components/Field'
import { Icon } from '../../shared/components/Icon'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { Skeleton } from '../../shared/components/Skeleton'
import { SpaceName } from '../../shared/components/SpaceName'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { hasStatus } from '../../shared/explain'
import { plainText } from '../../shared/markdown/plain'
import { decisionPath, pathFrom } from '../../shared/navigation/paths'
import { useDecisionSearch } from '../../shared/query/decision'
import { type Names, useNames } from '../../shared/query/names'
import { useSearch } from '../../shared/query/search'
import { texts } from '../../shared/texts'
import { lastAuthor } from '../decision/act-author'
import { DECISION_TONES } from '../decision/Board'
import { decisionsTexts, decisionTexts } from '../decision/texts'
import { MatchText } from './MatchText'
import { SearchField } from './SearchField'
import styles from './SearchPanel.module.css'
import { searchTexts } from './texts'

type Where = 'here' | 'linked' | 'everywhere'
type Sort = 'newest' | 'relevance'

const LIMIT = 50
/** The number of decisions shown. */
const MAX_DECISIONS = 10

/** Searches messages and decisions: in this space, in linked spaces too, or in all spaces of the account. */
export function SearchPanel({ spaceId, onClose }: PanelProps) {
  const [words, setWords] = useState('')
  const [where, setWhere] = useState<Where>('here')
  const [sort, setSort] = useState<Sort>('newest')
  const { data: matches, error } = useSearch({ q: words, ...spaces(where, spaceId), sort, limit: LIMIT })
  const { data: decisions } = useDecisionSearch({ q: words, ...spaces(where, spaceId), limit: MAX_DECISIONS })
  const search = searchTexts
  return (
    <Panel title={search.title} onClose={onClose}>
      <search className={styles.form}>
        <SearchField spaceId={spaceId} words={words} onChange={setWords} />
        <div className={styles.choices}>
          <SelectField label={search.where} value={where} options={search.places} onChange={setWhere} />
          <SelectField label={search.sort} value={sort} options={search.sorts} onChange={setSort} />
        </div>
      </search>
      {hasStatus(error, 404) ? (
        // Also while the name of a space is typed.
        <p className={styles.count}>{search.nothing}</p>
      ) : error ? (
        <ErrorNote error={error} />
      ) : words.trim() === '' ? (
        <EmptyState icon="search" title={search.emptyTitle}>
          {search.emptyText}
        </EmptyState>
      ) : !matches ? (
        <Skeleton rows={4} />
      ) : (
        <>
          {decisions && decisions.length > 0 && (
            <FoundDecisions spaceId={spaceId} decisions={decisions} isEverywhere={where !== 'here'} />
          )}
          {(matches.length > 0 || !decisions?.length) && <Matches matches={matches} isEverywhere={where !== 'here'} />}
        </>
      )}
    </Panel>
  )
}

function spaces(where: Where, spaceId: string) {
  if (where === 'here') return { space_id: spaceId }
  return where === 'linked' ? { linked_to: spaceId } : {}
}

interface FoundDecisionsProps {
  readonly spaceId: string
  readonly decisions: readonly DecisionMatch[]
  readonly isEverywhere: boolean
}

function FoundDecisions({ spaceId, decisions, isEverywhere }: FoundDecisionsProps) {
  const names = useNames(spaceId)
  return (
    <section className={styles.decisions} aria-label={decisionsTexts.heading}>
      <h3 className={styles.count}>{decisionsTexts.heading}</h3>
      <ul className={styles.matches}>
        {decisions.map((decision) => (
          <li key={decision.decision_id}>
            <FoundDecision decision={decision} names={names} isEverywhere={isEverywhere} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FoundDecisionProps {
  readonly decision: DecisionMatch
  readonly names: Names
  readonly isEverywhere: boolean
}

function FoundDecision({ decision, names, isEverywhere }: FoundDecisionProps) {
  const { decision_id, space_id, text, status, resolution, resolved_at, created_at } = decision
  const by = lastAuthor(decision, names)
  return (
    <Link href={decisionPath(space_id, decision_id)} className={styles.match}>
      <span className={styles.head}>
        <Badge tone={DECISION_TONES[status]}>{decisionTexts.statuses[status]}</Badge>
        <PosterAvatar of={by} size="small" />
        <Poster of={by} />
        {isEverywhere && <SpaceName spaceId={space_id} />}
        <Time at={resolved_at ?? created_at} />
      </span>
      <bdi>{plainText(text)}</bdi>
      {resolution !== null && <bdi className={styles.resolution}>{plainText(resolution)}</bdi>}
    </Link>
  )
}

function Matches({ matches, isEverywhere }: { readonly matches: readonly Match[]; readonly isEverywhere: boolean }) {
  const search = searchTexts
  return (
    <>
      <p className={styles.count} role="status">
        {matches.length === 0 ? search.nothing : search.found(matches.length, matches.length === LIMIT)}
      </p>
      <ul className={styles.matches}>
        {matches.map((match) => (
          <li key={match.event_id}>
            <Link href={pathFrom('search', match.space_id, match.corrects ?? match.event_id)} className={styles.match}>
              <span className={styles.head}>
                <PosterAvatar of={match} size="small" />
                <Poster of={match} />
                {isEverywhere && <SpaceName spaceId={match.space_id} />}
                <Time at={shownTime(match)} />
              </span>
              <MatchText snippet={match.snippet} />
              {match.matched_file ? <FoundFile file={match.matched_file} /> : <ItsFiles match={match} />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The files that a match with little text has. */
function ItsFiles({ match }: { readonly match: Match }) {
  const { files } = excerptParts(match)
  return files && <FoundFile file={{ name: texts.files(files.first, files.others), snippet: null }} />
}

/** The file in which a match is, with the part of its text. */
function FoundFile({
  file: { name, snippet },
}: {
  readonly file: Pick<NonNullable<Match['matched_file']>, 'name' | 'snippet'>
}) {
  return (
    <span className={styles.file}>
      <Icon name="attach" size={16} />
      <span>
        <OneLine className={styles.name}>{name}</OneLine>
        {snippet !== null && <MatchText snippet={snippet} />}
      </span>
    </span>
  )
}
