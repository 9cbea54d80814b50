import type { Client, RouterInputs } from '@collab-spaces/client'
import type { ClaimProof, WriteTarget } from './delegated-claims.js'

type Done = Exclude<RouterInputs['inbox']['done'], void>

/** Marks things as done, each space with its own claim. A refusal keeps nothing else from being marked. */
export async function markDone(
  client: Client,
  { through, notices, ...more }: Done,
  claimOf: (place: WriteTarget) => ClaimProof | undefined,
): Promise<void> {
  const all = (through ?? []).map((one) => ({ one, claim: claimOf(one) }))
  const claimed = all.flatMap(({ one, claim }) => (claim ? { through: [one], claim } : []))
  const rest = { through: all.filter(({ claim }) => !claim).map(({ one }) => one), notices }
  const parts = rest.through.length + (notices ?? []).length > 0 ? [...claimed, rest] : claimed
  const marked = await Promise.allSettled(parts.map((part) => client.inbox.done.mutate({ ...more, ...part })))
  const refused = marked.find(({ status }) => status === 'rejected')
  if (refused?.status === 'rejected') throw refused.reason
}
