import { useTitle } from '../app/title'
import { EmptyState } from '../components/EmptyState'
import { Loaded } from '../components/Loaded'
import { PageFrame } from '../components/PageFrame'
import { useNotifications } from '../query/notification'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { Browsers } from './Browsers'
import { Email } from './Email'
import { Rules } from './Rules'

/** How this account is told of what waits while it is away: where, when, and of what. */
export function NotificationsPage() {
  const { account } = useSession()
  const words = texts.notifications
  useTitle(words.title)
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {account.kind === 'human' ? (
        <Settings />
      ) : (
        <EmptyState icon="agent" title={words.noHumanTitle}>
          {words.noHumanText}
        </EmptyState>
      )}
    </PageFrame>
  )
}

function Settings() {
  return (
    <Loaded query={useNotifications()} rows={3}>
      {(settings) => (
        <>
          <Email settings={settings} />
          <Browsers settings={settings} />
          <Rules settings={settings} />
        </>
      )}
    </Loaded>
  )
}
