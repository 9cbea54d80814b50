import { useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions, DialogForm } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { SelectField } from '../components/Field'
import { List, ListRow } from '../components/List'
import { Section } from '../components/PageFrame'
import { Skeleton } from '../components/Skeleton'
import { type TenantPolicy, useSetTenantPolicy, useTenantPolicy } from '../query/tenant'
import { texts } from '../texts'

interface PolicyProps {
  readonly tenantId: string
  /** Whether this account may change it. */
  readonly isAdmin: boolean
}

/** What holds in all spaces of the tenant. */
export function Policy({ tenantId, isAdmin }: PolicyProps) {
  const { data: policy, error, refetch } = useTenantPolicy(tenantId)
  const [isChanging, setIsChanging] = useState(false)
  const words = texts.tenantPolicy
  return (
    <Section title={words.title}>
      {error && !policy ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !policy ? (
        <Skeleton rows={1} />
      ) : (
        <List label={words.title}>
          <ListRow
            icon="key"
            title={words.rules[policy.claims]}
            actions={
              isAdmin && (
                <Button size="small" icon="settings" onClick={() => setIsChanging(true)}>
                  {words.change}
                </Button>
              )
            }
          >
            <span>{words.claimsHint}</span>
          </ListRow>
        </List>
      )}
      {policy && isChanging && <ChangePolicy policy={policy} onClose={() => setIsChanging(false)} />}
    </Section>
  )
}

type Claims = TenantPolicy['claims']

const CLAIMS: readonly Claims[] = ['none', 'no_members', 'free']

function ChangePolicy({ policy, onClose }: { readonly policy: TenantPolicy; readonly onClose: () => void }) {
  const [claims, setClaims] = useState(policy.claims)
  const set = useSetTenantPolicy(policy.tenant_id)
  const words = texts.tenantPolicy
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <DialogForm onSubmit={() => set.mutate({ claims }, { onSuccess: onClose })}>
        <SelectField
          label={words.claims}
          hint={words.rules[claims]}
          value={claims}
          options={CLAIMS.map((value) => ({ value, label: words.options[value] }))}
          onChange={setClaims}
        />
        {set.isError && <ErrorNote error={set.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" isBusy={set.isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  )
}
