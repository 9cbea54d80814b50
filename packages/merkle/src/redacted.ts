/** What is said of an entry whose content was erased. Its place in the tree stays. */
export interface Redacted {
  /** Of the entry as it was, in base64. */
  readonly leaf_hash: string
  /** The operator's record of it. */
  readonly erasure_id: string
  readonly erased_at: string
}
