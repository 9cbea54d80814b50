import { HistoryError } from './git.js'
import { runDemo } from './import.js'
import { ServerError } from './rest.js'

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** The server's address, without a slash at the end. */
function serverUrl(given: string | undefined): string {
  if (!given) return DEFAULT_URL
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '')
  throw new ServerError('SPACES_URL must be an http or https URL such as http://127.0.0.1:8080')
}

/** `pnpm demo [directory]`: the repository that the directory lies in, otherwise the one it runs in. */
async function main(): Promise<void> {
  const [directory = '.'] = process.argv.slice(2)
  try {
    const lines = await runDemo({
      // biome-ignore lint/style/noProcessEnv: the one place where the demo reads its environment
      url: serverUrl(process.env.SPACES_URL),
      directory,
      progress: (line) => process.stderr.write(`${line}\n`),
    })
    process.stdout.write(`${lines.join('\n')}\n`)
  } catch (error) {
    if (!(error instanceof HistoryError || error instanceof ServerError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

await main()
