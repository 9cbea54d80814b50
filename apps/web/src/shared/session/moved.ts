/** An error body of REST. */
interface Refusal {
  readonly error?: unknown
  readonly location?: unknown
}

/** An error of tRPC, also inside a batch. */
interface RefusedCall {
  readonly error?: { readonly data?: Refusal } | null
}

/** Returns the address to which the tenant has moved, from a 421 response; null for any other. */
export async function movedTo(answer: Response): Promise<string | null> {
  if (answer.status !== 421) return null
  const body = (await answer.json().catch(() => null)) as RefusedCall | RefusedCall[] | null
  const refusals = [body].flat().map((one): Refusal | null => one?.error?.data ?? one)
  const location = refusals.find((refusal) => refusal?.error === 'moved')?.location
  return typeof location === 'string' && /^https?:/.test(location) && URL.canParse(location) ? location : null
}
