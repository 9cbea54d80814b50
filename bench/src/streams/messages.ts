/** What `readers.ts` asks of the processes of `reader.ts`, and what they answer. */

export type Question =
  | {
      readonly kind: 'open'
      readonly host: string
      readonly port: number
      readonly requests: string[]
      readonly count: number
    }
  | { readonly kind: 'seen' }

export type Answer =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'seen'; readonly seen: readonly number[]; readonly lateness: readonly Late[] }

/** So many events were this late, in milliseconds. */
export interface Late {
  readonly ms: number
  readonly events: number
}
