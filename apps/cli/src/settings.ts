import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Pager } from './terminal/pager.js'

/** The settings in the environment, read here and nowhere else. An empty variable counts as unset. */
export interface Settings {
  /** `SPACES_URL`: the address of the server. */
  readonly url: string | undefined
  /** `SPACES_TOKEN`: a personal access token, or an agent's API key. */
  readonly token: string | undefined
  /** `SPACES_PROFILE`: the account to use. */
  readonly profile: string | undefined
  /** `SPACES_MAY_MOVE_TO`: addresses that may get a token when its tenant has moved there, beside the saved ones. */
  readonly mayMoveTo: readonly string[]
  /** Where accounts are saved: `spaces` in `XDG_CONFIG_HOME`, by default `~/.config`. */
  readonly configDirectory: string
  /** Whether tokens go into the keyring of the system, if it has one: not with `SPACES_KEYRING=off`. */
  readonly hasKeyring: boolean
  /** The directory for what is remembered between commands: `spaces` in `XDG_STATE_HOME`, by default `~/.local/state`. */
  readonly stateDirectory: string
  /** `SPACES_CLAIMS`: the claims that `agent run` hands to the command that it runs, in JSON. */
  readonly claims: string | undefined
  /** `SPACES_TIMEOUT`: how many seconds a server may stay silent. */
  readonly timeout: string | undefined
  /** `SPACES_PAGER` or `PAGER`: the pager for results that are longer than the screen. */
  readonly pager: Pager
  /** `SPACES_EDITOR`, `VISUAL` or `EDITOR`: the editor for long texts. */
  readonly editor: string
  /** `SPACES_BROWSER` or `BROWSER`: the command that opens a page. */
  readonly browser: string
  /** `NO_COLOR`, or a terminal without colours. */
  readonly plain: boolean
  /** All of it, for programs that are run. */
  readonly environment: NodeJS.ProcessEnv
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { SPACES_URL, SPACES_TOKEN, SPACES_PROFILE, SPACES_TIMEOUT, XDG_CONFIG_HOME, XDG_STATE_HOME } = environment
  const { SPACES_MAY_MOVE_TO = '', SPACES_KEYRING, SPACES_PAGER, PAGER, SPACES_EDITOR, VISUAL, EDITOR } = environment
  const { SPACES_CLAIMS, SPACES_BROWSER, BROWSER, NO_COLOR, TERM } = environment
  return {
    url: SPACES_URL || undefined,
    token: SPACES_TOKEN?.trim() || undefined,
    profile: SPACES_PROFILE || undefined,
    mayMoveTo: SPACES_MAY_MOVE_TO.split(/[\s,]+/).filter(Boolean),
    configDirectory: join(homeFor(XDG_CONFIG_HOME, '.config'), 'spaces'),
    hasKeyring: SPACES_KEYRING !== 'off' && (process.platform === 'darwin' || hasDesktop(environment)),
    stateDirectory: join(homeFor(XDG_STATE_HOME, '.local/state'), 'spaces'),
    claims: SPACES_CLAIMS || undefined,
    timeout: SPACES_TIMEOUT || undefined,
    pager: { command: SPACES_PAGER || PAGER || 'less', environment: { ...PAGER_DEFAULTS, ...environment } },
    editor: SPACES_EDITOR || VISUAL || EDITOR || DEFAULT_EDITOR,
    browser: SPACES_BROWSER || BROWSER || DEFAULT_BROWSER,
    plain: Boolean(NO_COLOR) || TERM === 'dumb',
    environment,
  }
}

/**
 * For `less`: -F exits if everything fits, -R keeps colours, -X leaves the text on the screen. Without a locale it would
 * show the bytes of what is not ASCII.
 */
const PAGER_DEFAULTS = { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c' }

/** Elsewhere nobody can be asked to unlock a keyring. */
const hasDesktop = ({ DBUS_SESSION_BUS_ADDRESS, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv) =>
  Boolean(DBUS_SESSION_BUS_ADDRESS && (DISPLAY || WAYLAND_DISPLAY))

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
