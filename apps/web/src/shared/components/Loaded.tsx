import type { ReactNode } from 'react'
import { ErrorNote } from './ErrorNote'
import { Skeleton } from './Skeleton'

export interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown }
  /** The number of skeleton rows. */
  readonly rows: number
  readonly children: (data: Data) => ReactNode
}

/** Renders the data of a query, a skeleton while it loads, or its error. */
export function Loaded<Data>({ query: { data, error, refetch }, rows, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Skeleton rows={rows} />
}
