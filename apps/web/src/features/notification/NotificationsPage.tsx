import { EmptyState } from '../../shared/components/EmptyState'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { useNotifications } from '../../shared/query/notification'
import { useSession } from '../../shared/session/session'
import { Browsers } from './Browsers'
import { Email } from './Email'
import { Rules } from './Rules'
import { notificationsTexts } from './texts'

/** The notification settings of this account: channels, rules and quiet hours. */
export function NotificationsPage() {
  const { account } = useSession()
  const words = notificationsTexts
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
