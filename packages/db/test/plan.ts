/** A node of a plan as PostgreSQL explains it in JSON, with the numbers of ANALYZE. */
export interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns the number of rows that a node of a plan has read from its table. */
export const rowsOf = (plan: Plan) =>
  'Relation Name' in plan ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
