import type { ReactNode } from 'react'
import { ErrorNote } from './ErrorNote'
import { Skeleton } from './Skeleton'

export interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown }
  /** How many take its place while it is read. */
  readonly rows: number
  readonly children: (data: Data) => ReactNode
}

/** Data once it has been read; before that, a skeleton, or why it could not be read. */
export function Loaded<Data>({ query: { data, error, refetch }, rows, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Skeleton rows={rows} />
}
