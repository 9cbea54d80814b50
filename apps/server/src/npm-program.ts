import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The program of the npm package. */
export const NPM_PROGRAM = 'collaboration-spaces'

const OPERATE = 'operate'

export const NPM_USAGE = `Usage: ${NPM_PROGRAM} [--data DIRECTORY] [--port PORT]
       ${NPM_PROGRAM} [--data DIRECTORY] ${OPERATE} COMMAND

Starts the server with its own PostgreSQL, at http://localhost:8080. Ctrl-C stops both.

  --data DIRECTORY  keeps the data there (default: ~/.local/share/${NPM_PROGRAM})
  --port PORT       listens there
  --version         prints the version
  --help            prints this text

"${OPERATE} --help" lists the commands of operators, such as "${OPERATE} backup FILE". All settings can be environment
variables, or lines of a file .env in the current directory.
`

/** What the npm program is asked to do. */
export type NpmRequest =
  | { readonly kind: 'serve'; readonly settings: Environment }
  | { readonly kind: 'operate'; readonly settings: Environment; readonly words: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly reason: string }

type Environment = Readonly<Record<string, string | undefined>>

/** Empty, so that a file .env cannot lead to another database. */
const NO_URLS = { DATABASE_URL: '', MIGRATION_DATABASE_URL: '' }

/** Reads the arguments of the npm program. What they set takes precedence over the environment. */
export function readNpmArguments(words: readonly string[]): NpmRequest {
  const at = words.indexOf(OPERATE)
  try {
    const { values } = parseArgs({
      args: at < 0 ? [...words] : words.slice(0, at),
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) return { kind: 'help' }
    if (values.version) return { kind: 'version' }
    const settings = {
      ...(values.data !== undefined && { DATA_DIR: values.data, ...NO_URLS }),
      ...(values.port !== undefined && { PORT: values.port }),
    }
    return at < 0 ? { kind: 'serve', settings } : { kind: 'operate', settings, words: words.slice(at + 1) }
  } catch (error) {
    return { kind: 'mistake', reason: (error as Error).message }
  }
}

/** The environment with the default of the data directory: that of the XDG specification, the same wherever it starts. */
export function withNpmDefaults(environment: Environment): Environment {
  const { DATA_DIR, DATABASE_URL, XDG_DATA_HOME } = environment
  if (DATA_DIR || DATABASE_URL) return environment
  return { ...environment, DATA_DIR: join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), NPM_PROGRAM) }
}
