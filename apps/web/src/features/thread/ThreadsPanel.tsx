import type { ActiveThread } from '@collab-spaces/client'
import { Link } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { Loaded } from '../../shared/components/Loaded'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Poster } from '../../shared/components/Poster'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { excerptLine } from '../../shared/markdown/excerpt'
import { threadPath } from '../../shared/navigation/paths'
import { useThreads } from '../../shared/query/thread'
import styles from './ThreadsPanel.module.css'
import { threadPanelTexts } from './texts'

/** The threads of a space, by latest reply. */
export function ThreadsPanel({ spaceId, onClose }: PanelProps) {
  const query = useThreads(spaceId)
  const words = threadPanelTexts
  return (
    <Panel title={words.threads} onClose={onClose}>
      <Loaded query={query} rows={4}>
        {(threads) =>
          threads.length === 0 ? (
            <EmptyState icon="thread" title={words.listEmptyTitle}>
              {words.listEmptyText}
            </EmptyState>
          ) : (
            <>
              <ul className={styles.threads} aria-label={words.list}>
                {threads.map((thread) => (
                  <Row key={thread.thread_id} thread={thread} />
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
    </Panel>
  )
}

function Row({ thread }: { readonly thread: ActiveThread }) {
  const { space_id, thread_id, subject, event_count, last_event, created_at } = thread
  return (
    <li>
      <Link href={threadPath(space_id, thread_id)} className={styles.thread}>
        <bdi className={styles.subject}>{subject}</bdi>
        {last_event && (
          <span className={styles.last}>
            <Poster of={last_event} isInLine />
            <OneLine className={styles.words}>{excerptLine({ ...last_event, text: last_event.excerpt })}</OneLine>
          </span>
        )}
        <small>
          {threadPanelTexts.count(event_count)} · <Time at={last_event?.timestamp ?? created_at} />
        </small>
      </Link>
    </li>
  )
}
