import { useCallback, useMemo } from 'react'
import { Link } from 'wouter'
import { Time } from '../../shared/components/Time'
import { Markdown } from '../../shared/markdown/Markdown'
import { patternMarks } from '../../shared/markdown/marks'
import { decisionPath, pathFrom } from '../../shared/navigation/paths'
import { useDecisions } from '../../shared/query/decision'
import { CITATION, numbersOf, TIME } from './citations'
import styles from './SummaryText.module.css'
import { summaryTexts } from './texts'

const MARKED = new RegExp(`${CITATION.source}|${TIME.source}`, 'g')

const timeIn = (found: string) => (found.startsWith('[') ? null : <Time at={found} form="moment" />)

/** The text of a summary, with citations as numbered links to messages and decisions. */
export function SummaryText({ spaceId, text }: { readonly spaceId: string; readonly text: string }) {
  const { data: decisions } = useDecisions(spaceId)
  const numbers = useMemo(() => numbersOf(text), [text])
  const cite = useCallback(
    (cited: string) => {
      const id = cited.slice(1, -1)
      const isDecision = decisions?.some(({ decision_id }) => decision_id === id) ?? false
      const path = isDecision ? decisionPath(spaceId, id) : pathFrom('summary', spaceId, id)
      const number = numbers.get(id) ?? 0
      return (
        <Link href={path} className={styles.citation} aria-label={summaryTexts.citation(number)}>
          {number}
        </Link>
      )
    },
    [decisions, numbers, spaceId],
  )
  const marks = useMemo(() => patternMarks(MARKED, (found) => timeIn(found) ?? cite(found)), [cite])
  return <Markdown text={text} marks={marks} />
}
