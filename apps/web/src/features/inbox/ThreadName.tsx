import { Link } from 'wouter'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import { threadPath } from '../../shared/navigation/paths'
import { useThread } from '../../shared/query/thread'
import { threadTexts } from '../history/texts'
import styles from './InboxPage.module.css'

/** Links to the thread of a group of entries. */
export function ThreadName({ spaceId, threadId }: { readonly spaceId: string; readonly threadId: string }) {
  const { data } = useThread(spaceId, threadId)
  return (
    <h3 className={styles.thread}>
      <Link href={threadPath(spaceId, threadId)} data-reach>
        <Icon name="thread" size={14} /> <OneLine>{data?.thread.subject ?? threadTexts.title}</OneLine>
      </Link>
    </h3>
  )
}
