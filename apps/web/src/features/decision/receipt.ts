import type { Decision, DecisionAct } from '@collab-spaces/client'

/** Returns an unsigned receipt of a decision with its acts, for servers that sign nothing. */
export const receiptOf = (decision: Decision, acts: readonly DecisionAct[], server: string, now: Date) => ({
  receipt: 'decision',
  server,
  downloaded_at: now.toISOString(),
  decision,
  acts,
})

export function download(name: string, json: string): void {
  const file = new Blob([`${json}\n`], { type: 'application/json' })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
