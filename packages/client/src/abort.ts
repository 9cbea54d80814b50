/** Aborts `controller` when `signal` fires, until the returned function is called. */
export function abortWith(controller: AbortController, signal: AbortSignal | null | undefined): () => void {
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  return () => signal?.removeEventListener('abort', abort)
}
