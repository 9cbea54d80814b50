import type { TenantId } from '@collab-spaces/domain'

export interface DecisionKey {
  readonly tenantId: TenantId
  readonly spaceId: string
  readonly decisionId: string
}
