/** Paths for `client.get`, which reads what may be too large for a typed call. */
type Path = `/${string}`

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** The path of a space in the REST API. */
export const pathOfSpace = (spaceId: string): Path => `/api/spaces/${encodeURIComponent(spaceId)}`

/** A path with a query of those parameters that have a value. */
export function withQuery(path: Path, parameters: Parameters): Path {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}
