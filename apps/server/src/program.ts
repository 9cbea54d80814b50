import cluster from 'node:cluster'
import { closeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { isatty } from 'node:tty'
import type { Logger } from 'pino'
import { shrinkWhenQuiet, tuneHeap } from './heap.js'
import { openLog } from './log.js'
import { NPM_PROGRAM, NPM_USAGE, readNpmArguments, withNpmDefaults } from './npm-program.js'
import type { Running } from './serve.js'
import { readSettings, type Settings, SettingsError } from './settings.js'
import { placesOf, settingsFile } from './settings-file.js'
import { start } from './start.js'
import { misspelling, warningsAbout } from './warnings.js'
import { report, serveAssignment } from './workers/worker.js'

const { version: VERSION } = createRequire(import.meta.url)('../package.json') as { readonly version: string }

/** A script of a clone, and a program of a release, which run commands of operators and never a server. */
const OPERATE = 'operate'
// biome-ignore lint/style/noProcessEnv: set by the package manager, no setting
const isScript = process.env.npm_lifecycle_event === OPERATE
const program = basename(process.argv[1] ?? '')
const npm = program === NPM_PROGRAM ? readNpmArguments(process.argv.slice(2)) : null
const isOperate = isScript || program === OPERATE || npm?.kind === 'operate'

// A reader or a terminal that is gone ends what is printed, not the program.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

const terminals = [0, 1, 2].filter(isatty)

/** Closes terminals that are gone: Node aborts at its exit if it cannot reset one. */
function exit(code = process.exitCode): never {
  for (const terminal of terminals) if (!isatty(terminal)) closeSync(terminal)
  process.exit(code)
}

/** Prints a line for the person at the terminal; the log on standard error is for machines. */
const tell = (line: string) => process.stdout.write(`${line}\n`)

/** EX_CONFIG of sysexits.h: a service manager need not start it again. */
const WRONG_SETTING = 78
const WRONG_USAGE = 2

function fail(lines: readonly string[], code = 1): never {
  for (const line of lines) process.stderr.write(`${line}\n`)
  exit(code)
}

if (npm?.kind === 'help') process.stdout.write(NPM_USAGE)
if (npm?.kind === 'version') tell(VERSION)
if (npm?.kind === 'help' || npm?.kind === 'version') exit()
if (npm?.kind === 'mistake') fail([npm.reason, NPM_USAGE.trimEnd()], WRONG_USAGE)
// biome-ignore lint/style/noProcessEnv: options are settings of this process and its workers
if (npm) Object.assign(process.env, npm.settings)

const words = npm ? (npm.kind === 'operate' ? npm.words : []) : process.argv.slice(2)
const isCommand = isOperate || words.length > 0

function loadSettings(): void {
  // biome-ignore lint/style/noProcessEnv: which data is named there
  const file = settingsFile(isCommand && !isScript, process.env)
  if (file === null) return
  // biome-ignore lint/style/noProcessEnv: which data is named there
  Object.assign(process.env, placesOf(isCommand, process.env))
  try {
    process.loadEnvFile(file)
  } catch (error) {
    fail([`${file} cannot be read (${(error as Error).message}): run this as an account that may read it`])
  }
}

function settingsOrFail(): Settings {
  try {
    loadSettings()
    // biome-ignore lint/style/noProcessEnv: the one place where this app reads its environment
    return readSettings(npm ? withNpmDefaults(process.env) : process.env)
  } catch (error) {
    if (error instanceof SettingsError) {
      fail(
        error.mistakes.map((mistake) => `Setting ${mistake}`),
        WRONG_SETTING,
      )
    }
    throw error
  }
}

/** Explains a failure. Its module loads the database packages, which a start loads later. */
const explain = async (error: unknown, settings: Settings) => (await import('./explain.js')).explain(error, settings)

async function serve(settings: Settings): Promise<void> {
  const log = await openLog(settings)
  const ending = new AbortController()

  const onLost = (error: Error) => {
    log.flush()
    fail([error.message])
  }
  // biome-ignore lint/style/noProcessEnv: the names alone, for those that are misspelled
  for (const warning of await warningsAbout(settings, Object.keys(process.env))) log.warn(warning)
  const starting = start(settings, log, ending.signal, onLost).catch((error: unknown) => {
    if (ending.signal.aborted) return null
    // Below what was logged on the way, as that may be why.
    return explain(error, settings).then(
      (reason) => new Promise<never>(() => log.flush(() => fail([`Cannot start: ${reason}`]))),
    )
  })
  stopOnSignal(starting, ending, log)

  const running = await starting
  tuneHeap()
  shrinkWhenQuiet()
  if (running === null || ending.signal.aborted) return
  void warnOfIssuer(settings, log)
  const next = running.hasPage ? addressOfPage(running.url) : `${running.url}/docs`
  // A reader of the log finds this line below all that happened on the way.
  log.flush(() => tell(`Collaboration Spaces is ready at ${running.url} (data: ${running.data}). Next: open ${next}`))
}

/** Serves as one of several workers. The primary process starts and stops it, and prints what concerns all. */
async function serveAsWorker(settings: Settings): Promise<void> {
  const log = await openLog(settings)
  const starting = serveAssignment(settings, log).catch(async (error: unknown) => {
    await report({ kind: 'failed', message: await explain(error, settings) })
    exit(1)
  })
  stopOnSignal(starting, new AbortController(), log.child({}, { level: 'error' }))
  const { url, hasPage } = await starting
  tuneHeap()
  shrinkWhenQuiet()
  await report({ kind: 'ready', url, hasPage })
}

/**
 * Stops on the first signal: the terminal and a package manager may both forward the same Ctrl-C. A start is aborted, and
 * takes PostgreSQL along, so that it is not left behind.
 */
function stopOnSignal(starting: Promise<Running | null>, ending: AbortController, log: Logger): void {
  const end = async (signal: string) => {
    if (ending.signal.aborted) return
    log.info({ signal }, 'stopping')
    ending.abort()
    const running = await starting
    await running?.stop().catch((error: unknown) => {
      log.error({ err: error }, 'the stop failed')
      process.exitCode = 1
    })
    log.info('stopped')
    log.flush(() => exit())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
}

/** Returns where to open the page: passkeys need a name, and no loopback address is one. */
const addressOfPage = (url: string): string => url.replace(/^(http:\/\/)(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '$1localhost')

/** Warns of an issuer that the identity provider does not have, once the server is running: the provider may be slow. */
async function warnOfIssuer({ oidc }: Settings, log: Logger): Promise<void> {
  if (!oidc) return
  const { issuerProblem } = await import('./sign-in/provider.js')
  const problem = await issuerProblem(oidc)
  if (problem) log.warn(problem.message)
}

/** Returns what an operator types before a command, for help texts and errors. */
function operatorProgram(): string {
  if (isScript) return 'npx -y pnpm@12 operate'
  if (npm) return `${NPM_PROGRAM} ${OPERATE}`
  return isOperate ? OPERATE : 'spaces-server'
}

/** Runs an operator's command, whether the installation is running or not. */
async function operate(settings: Settings, words: readonly string[]): Promise<void> {
  tuneHeap()
  const { OperatorError } = await import('@collab-spaces/operator')
  const { operatorCommands } = await import('./commands.js')
  const { withConnection, withDatabase } = await import('./operator/database.js')
  const { logSignerOf } = await import('./operator/log-signer.js')
  const { operatorName } = await import('./operator/name.js')
  const { openBucket } = await import('./storage.js')
  // biome-ignore lint/style/noProcessEnv: the names alone, for those that are misspelled
  for (const warning of Object.keys(process.env).flatMap(misspelling)) process.stderr.write(`Warning: ${warning}\n`)
  const ending = new AbortController()
  // So that nothing half done is left behind. A second signal ends the program at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => ending.abort(new OperatorError('Stopped before the end')))
  }
  // biome-ignore lint/style/noProcessEnv: who became root for this command, no setting
  const operator = operatorName(process.env.SUDO_USER)
  const program = operatorCommands({
    programName: operatorProgram(),
    version: VERSION,
    withDatabase: (work) => withDatabase(settings, operator, work),
    withConnection: (work) => withConnection(settings, operator, work),
    withNewConnection: (work) => withConnection(settings, operator, work, { mayMake: true }),
    logSigner: (connection, directory) => logSignerOf(settings, connection, directory),
    bucket: await openBucket(settings),
    issuerProblem: async () => {
      if (!settings.oidc) return null
      const { issuerProblem } = await import('./sign-in/provider.js')
      return issuerProblem(settings.oidc)
    },
    say: tell,
    note: (line) => process.stderr.write(`${line}\n`),
    fail: () => {
      process.exitCode = 1
    },
    signal: ending.signal,
  })
  await program.parseAsync([...words], { from: 'user' }).catch((error: unknown) => {
    // One of the command itself says how far it came.
    throw ending.signal.aborted && !(error instanceof OperatorError) ? ending.signal.reason : error
  })
  // A migration leaves timers of Prisma's engine behind, which would keep this process for ten seconds.
  exit()
}

const settings = settingsOrFail()
if (cluster.isWorker) await serveAsWorker(settings)
else if (!isCommand) await serve(settings)
else await operate(settings, words).catch(async (error: unknown) => fail([await explain(error, settings)]))
