/** The reason why no server can be used: one line for the person at the terminal. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
}

/** The server's own variables identify a local server. */
interface Variables {
  readonly SPACES_URL?: string | undefined
  readonly PORT?: string | undefined
}

/** Returns the address of the server, without a trailing slash. */
export function serverUrl({ SPACES_URL: given, PORT }: Variables): string {
  if (!given) return `http://127.0.0.1:${PORT || 8080}`
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '')
  throw new ServerError('SPACES_URL must be an http or https URL such as http://127.0.0.1:8080')
}

/** Throws a ServerError with advice when none of our servers answers at the address. */
export async function requireServer(url: string): Promise<void> {
  const answer = await fetch(`${url}/health`).catch(() => null)
  const { status } = ((await answer?.json().catch(() => null)) ?? {}) as { status?: unknown }
  if (status === 'ok') return
  const found = answer ? 'Something else answers' : 'No server answers'
  throw new ServerError(
    `${found} at ${url}: run "npx -y pnpm@12 start" in another terminal first, or set SPACES_URL to the server's address`,
  )
}
