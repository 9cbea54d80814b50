import type { TenantPolicy } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField } from '../../shared/components/Field'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Section } from '../../shared/components/PageFrame'
import { useSetTenantPolicy, useTenantPolicy } from '../../shared/query/tenant'
import { texts } from '../../shared/texts'
import { tenantPolicyTexts } from './texts'

interface PolicyProps {
  readonly tenantId: string
  /** Whether this account may change it. */
  readonly isAdmin: boolean
}

/** The rules for all spaces of the tenant. */
export function Policy({ tenantId, isAdmin }: PolicyProps) {
  const query = useTenantPolicy(tenantId)
  const { data: policy } = query
  const [isChanging, setIsChanging] = useState(false)
  const words = tenantPolicyTexts
  return (
    <Section title={words.title}>
      <Loaded query={query} rows={1}>
        {(policy) => (
          <List label={words.title}>
            <ListRow
              icon="key"
              title={words.rules[policy.attribution]}
              actions={
                isAdmin && (
                  <Button size="small" icon="settings" onClick={() => setIsChanging(true)}>
                    {texts.change}
                  </Button>
                )
              }
            >
              <span>{words.claimsHint}</span>
            </ListRow>
          </List>
        )}
      </Loaded>
      {policy && isChanging && <ChangePolicy policy={policy} onClose={() => setIsChanging(false)} />}
    </Section>
  )
}

function ChangePolicy({ policy, onClose }: { readonly policy: TenantPolicy; readonly onClose: () => void }) {
  const [attribution, setAttribution] = useState(policy.attribution)
  const set = useSetTenantPolicy(policy.tenant_id)
  const words = tenantPolicyTexts
  return (
    <FormDialog
      title={words.title}
      request={set}
      onClose={onClose}
      onSubmit={() => set.mutate({ attribution }, { onSuccess: onClose })}
    >
      <SelectField
        label={words.claims}
        hint={words.rules[attribution]}
        value={attribution}
        options={words.options}
        onChange={setAttribution}
      />
    </FormDialog>
  )
}
