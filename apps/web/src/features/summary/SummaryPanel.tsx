import type { Summary } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { SelectField, TextField } from '../../shared/components/Field'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Skeleton } from '../../shared/components/Skeleton'
import { Time } from '../../shared/components/Time'
import { useLastSummary, useSummarize } from '../../shared/query/summary'
import { texts } from '../../shared/texts'
import { withQuotedMarks } from './quotes'
import styles from './SummaryPanel.module.css'
import { SummaryText } from './SummaryText'
import { summaryTexts } from './texts'
import { type Window, windowOf } from './window'

/** A summary of a period, with links to its sources. */
export function SummaryPanel({ spaceId, onClose }: PanelProps) {
  const [window, setWindow] = useState<Window>('day')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const { data: summary } = useLastSummary(spaceId)
  const summarize = useSummarize(spaceId)
  const words = summaryTexts
  const ask = (regenerate: boolean) =>
    summarize.mutate({ ...windowOf(window, { first, last }, Date.now()), regenerate })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask(false)
  }
  return (
    <Panel title={words.title} onClose={onClose} isPrinted>
      <form className={styles.form} onSubmit={submit}>
        <SelectField label={texts.period} value={window} options={words.windows} onChange={setWindow} />
        {window === 'days' && (
          <div className={styles.days}>
            <TextField label={words.first} type="date" value={first} onChange={setFirst} required />
            <TextField label={words.last} type="date" value={last} min={first} onChange={setLast} required />
          </div>
        )}
        <Button look="primary" type="submit" isBusy={summarize.isPending}>
          {words.submit}
        </Button>
      </form>
      {summarize.isError ? (
        <ErrorNote error={summarize.error} onRetry={() => ask(false)} />
      ) : summarize.isPending ? (
        <Skeleton rows={5} />
      ) : summary ? (
        <SummaryResult summary={summary} onAgain={() => ask(true)} />
      ) : (
        <EmptyState icon="summary" title={words.emptyTitle}>
          {words.emptyText}
        </EmptyState>
      )}
    </Panel>
  )
}

const isBuiltIn = (model: string) => model.startsWith('extractive')

function SummaryResult({ summary, onAgain }: { readonly summary: Summary; readonly onAgain: () => void }) {
  const { space_id, summary_text, event_count, model, created_at } = summary
  const words = summaryTexts
  return (
    <article>
      <SummaryText spaceId={space_id} text={isBuiltIn(model) ? withQuotedMarks(summary_text) : summary_text} />
      <footer className={styles.facts}>
        <p>
          {texts.counts.events(event_count)} · {isBuiltIn(model) ? words.byBuiltIn : words.by(model)} ·{' '}
          <Time at={created_at} />
        </p>
        <Button size="small" look="plain" icon="refresh" onClick={onAgain}>
          {words.again}
        </Button>
      </footer>
    </article>
  )
}
