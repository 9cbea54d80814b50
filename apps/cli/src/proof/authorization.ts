import type { EntryValue, ReadReceipt } from '@collab-spaces/merkle'

type WithDigest = { readonly digest?: unknown } | undefined

/**
 * Returns the digest of the action that a proven decision authorizes: as it was proposed, or as its resolver edited it.
 * Null if the decision is not resolved, has no action, or its option denies.
 */
export function authorizedDigest({ entries }: Pick<ReadReceipt, 'entries'>): string | null {
  const actOf = (kind: string): EntryValue | undefined => entries.find(({ value }) => value.kind === kind)?.value
  const [proposed, settled] = [actOf('proposed'), actOf('settled')]
  if (settled?.status !== 'resolved' || isDenied(proposed, settled)) return null
  const { digest } = ((settled.edit ?? proposed?.action) as WithDigest) ?? {}
  return typeof digest === 'string' ? digest : null
}

function isDenied(proposed: EntryValue | undefined, { option }: EntryValue): boolean {
  if (proposed?.options === undefined) return false
  const options = proposed.options as readonly { readonly id: string; readonly denies: boolean }[]
  return options.find(({ id }) => id === option)?.denies ?? true
}
