import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export type Settings = ReturnType<typeof readSettings>

/** The settings in the environment, read here and nowhere else. An empty variable counts as unset. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const { SPACES_URL, SPACES_TOKEN, SPACES_PROFILE, SPACES_TIMEOUT, XDG_CONFIG_HOME, XDG_STATE_HOME } = environment
  const { SPACES_MAY_MOVE_TO = '', SPACES_KEYRING, SPACES_PAGER, PAGER, SPACES_EDITOR, VISUAL, EDITOR } = environment
  const { SPACES_CLAIMS, SPACES_INSTALLATION_ID, SPACES_BROWSER, BROWSER, NO_COLOR, TERM } = environment
  return {
    /** The address of the server. */
    url: SPACES_URL || undefined,
    /** A personal access token, or an agent's API key. */
    token: SPACES_TOKEN?.trim() || undefined,
    /** Where the agent of the token runs. */
    installationId: SPACES_INSTALLATION_ID || undefined,
    /** The account to use. */
    profile: SPACES_PROFILE || undefined,
    /** Addresses that may get a token when its tenant has moved there, beside the saved ones. */
    mayMoveTo: SPACES_MAY_MOVE_TO.split(/[\s,]+/).filter(Boolean),
    /** Where accounts are saved. */
    configDirectory: join(homeFor(XDG_CONFIG_HOME, '.config'), 'spaces'),
    /** Whether tokens go into the keyring of the system, if it has one. */
    hasKeyring: SPACES_KEYRING !== 'off' && (process.platform === 'darwin' || hasDesktop(environment)),
    /** The directory for what is remembered between commands. */
    stateDirectory: join(homeFor(XDG_STATE_HOME, '.local/state'), 'spaces'),
    /** The claims that `agent run` hands to the command that it runs, in JSON. */
    claims: SPACES_CLAIMS || undefined,
    /** How many seconds a server may stay silent. */
    timeout: SPACES_TIMEOUT || undefined,
    /** The proxies for servers on other machines; undefined without any. */
    proxies: proxiesIn(environment),
    /** The pager for results that are longer than the screen. */
    pager: { command: SPACES_PAGER || PAGER || 'less', environment: { ...PAGER_DEFAULTS, ...environment } },
    /** The editor for long texts. */
    editor: SPACES_EDITOR || VISUAL || EDITOR || DEFAULT_EDITOR,
    /** The command that opens a page; null where none can be shown. */
    browser: SPACES_BROWSER || BROWSER || (hasDisplay(environment) ? DEFAULT_BROWSER : null),
    /** Without colors: as requested, or as the terminal has none. */
    plain: Boolean(NO_COLOR) || TERM === 'dumb',
    /** All of it, for programs that are run. */
    environment,
  }
}

/**
 * For `less`: -F exits if everything fits, -R keeps colours, -X leaves the text on the screen. Without a locale it would
 * show the bytes of what is not ASCII.
 */
const PAGER_DEFAULTS = { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c' }

/** Addresses of proxies, and the hosts that need none; empty for none. */
export interface Proxies {
  readonly http: string
  readonly https: string
  readonly none: string
}

/** Reads the variables that other programs have, too. The names in lower case are the older ones, and win. */
function proxiesIn(environment: NodeJS.ProcessEnv): Proxies | undefined {
  const read = (name: string) => (environment[name.toLowerCase()] || environment[name] || '').trim()
  const [http, https, none] = [read('HTTP_PROXY'), read('HTTPS_PROXY'), read('NO_PROXY')]
  const areOff = none.split(/[\s,]+/).includes('*')
  return (http === '' && https === '') || areOff ? undefined : { http, https, none }
}

/** Elsewhere no user can unlock a keyring. */
const hasDesktop = (environment: NodeJS.ProcessEnv) =>
  Boolean(environment.DBUS_SESSION_BUS_ADDRESS) && hasX(environment)

const hasX = ({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv) => Boolean(DISPLAY || WAYLAND_DISPLAY)

/** Other systems show windows without a variable that says so. */
const hasDisplay = (environment: NodeJS.ProcessEnv) =>
  process.platform === 'darwin' || process.platform === 'win32' || hasX(environment)

/** Every system has it. */
const DEFAULT_EDITOR = process.platform === 'win32' ? 'notepad' : 'vi'

const OPENERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'open',
  win32: 'rundll32 url.dll,FileProtocolHandler',
}

/** The command that opens a page where the environment names no browser. */
const DEFAULT_BROWSER = OPENERS[process.platform] ?? 'xdg-open'

/** A relative path counts as unset, as the XDG specification says. */
const homeFor = (given = '', usual: string): string => (isAbsolute(given) ? given : join(homedir(), usual))
