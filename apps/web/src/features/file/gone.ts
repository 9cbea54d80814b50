import { hasStatus } from '../../shared/explain'

/** Why a file cannot be opened. */
export type GoneReason = 'deleted' | 'erased' | 'unavailable'

/** The part of a query for a file that says whether it is there. */
interface FoundFile {
  readonly data: { readonly deleted_at: string | null; readonly sha256: string | null } | undefined
  readonly error: unknown
}

/** Returns why a file cannot be opened; null if it can be, as far as is known. */
export function goneOf({ data, error }: FoundFile): GoneReason | null {
  if (hasStatus(error, 404)) return 'unavailable'
  if (data?.sha256 === null) return 'erased'
  return data && data.deleted_at !== null ? 'deleted' : null
}
