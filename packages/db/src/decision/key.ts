import type { Scope } from '@collab-spaces/domain'

export interface DecisionKey {
  readonly scope: Scope
  readonly spaceId: string
  readonly decisionId: string
}
