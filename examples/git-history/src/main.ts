import { SpacesError } from '@collab-spaces/client'
import { runDemo } from './demo.js'
import { HistoryError } from './git.js'
import { requireServer, ServerError, serverUrl } from './server.js'

/** `pnpm demo [DIRECTORY]`: imports the repository of the directory, by default the current one. */
async function main(): Promise<void> {
  const [directory = '.'] = process.argv.slice(2)
  try {
    // biome-ignore lint/style/noProcessEnv: the one place where the demo reads its environment
    const url = serverUrl(process.env)
    await requireServer(url)
    const lines = await runDemo({ url, directory, progress: (line) => process.stderr.write(`${line}\n`) })
    process.stdout.write(`${lines.join('\n')}\n`)
  } catch (error) {
    if (!(error instanceof HistoryError || error instanceof ServerError || error instanceof SpacesError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

await main()
