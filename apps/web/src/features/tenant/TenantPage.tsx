import { ErrorNote } from '../../shared/components/ErrorNote'
import { PageFrame, PageSkeleton } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { useMe } from '../../shared/query/actor'
import { useIsAdmin, useTenant } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { Webhooks } from '../webhook/Webhooks'
import { Invites } from './Invites'
import { LeaveTenant } from './LeaveTenant'
import { Members } from './Members'
import { NoTenant } from './NoTenant'
import { Policy } from './Policy'
import { PrivateSpaces } from './PrivateSpaces'
import { tenantTexts } from './texts'

/** The tenant of this account: members, invites, policy and private spaces. */
export function TenantPage() {
  const query = useMe()
  const title = texts.tenantTitle
  useTitle(title)
  if (!query.data) return <PageSkeleton title={title} query={query} rows={4} />
  const { tenant_id } = query.data
  return tenant_id === null ? <NoTenant /> : <OneTenant tenantId={tenant_id} />
}

function OneTenant({ tenantId }: { readonly tenantId: string }) {
  const { account } = useSession()
  const { data: tenant, error, refetch } = useTenant(tenantId)
  const isAdmin = useIsAdmin()
  const words = tenantTexts
  return (
    <PageFrame
      title={tenant?.name ?? texts.tenantTitle}
      lead={words.lead}
      actions={account.kind === 'human' && <LeaveTenant tenantId={tenantId} name={tenant?.name} />}
    >
      {error && !tenant && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Members tenantId={tenantId} isAdmin={isAdmin} />
      <Policy tenantId={tenantId} isAdmin={isAdmin} />
      {isAdmin && <Invites />}
      {isAdmin && <Webhooks reach="tenant" />}
      {isAdmin && <PrivateSpaces tenantId={tenantId} />}
    </PageFrame>
  )
}
