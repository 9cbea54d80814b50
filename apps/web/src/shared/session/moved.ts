/** An error as REST answers it. */
interface Refusal {
  readonly error?: unknown
  readonly location?: unknown
}

/** One as tRPC does, alone or with those of the other calls in the request. */
interface RefusedCall {
  readonly error?: { readonly data?: Refusal } | null
}

/** The address that an installation says its tenant has moved to; null for an answer that says nothing of the kind. */
export async function movedTo(answer: Response): Promise<string | null> {
  if (answer.status !== 421) return null
  const body = (await answer.json().catch(() => null)) as RefusedCall | RefusedCall[] | null
  const refusals = [body].flat().map((one): Refusal | null => one?.error?.data ?? one)
  const location = refusals.find((refusal) => refusal?.error === 'moved')?.location
  return typeof location === 'string' && /^https?:/.test(location) && URL.canParse(location) ? location : null
}
