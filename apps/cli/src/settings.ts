import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** What the environment says, read here and nowhere else. An empty variable is one that is not set. */
export interface Settings {
  /** `SPACES_URL`: the server. */
  readonly url: string | undefined
  /** `SPACES_TOKEN`: a personal access token, or an agent's API key. */
  readonly token: string | undefined
  /** `SPACES_PROFILE`: the account, by the name it is kept under. */
  readonly profile: string | undefined
  /** Where accounts are kept: `spaces` below `XDG_CONFIG_HOME`, which is `~/.config` by default. */
  readonly configDirectory: string
  /** `SPACES_PAGER` or `PAGER`: shows what is longer than the screen. */
  readonly pager: string
  /** `NO_COLOR`, or a terminal that has none. */
  readonly plain: boolean
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { SPACES_URL, SPACES_TOKEN, SPACES_PROFILE, XDG_CONFIG_HOME, SPACES_PAGER, PAGER, NO_COLOR, TERM } = environment
  return {
    url: SPACES_URL || undefined,
    token: SPACES_TOKEN?.trim() || undefined,
    profile: SPACES_PROFILE || undefined,
    configDirectory: join(configHome(XDG_CONFIG_HOME), 'spaces'),
    // -F leaves at once when all fits, -R keeps colours, -X leaves the text on the screen.
    pager: SPACES_PAGER || PAGER || 'less -FRX',
    plain: Boolean(NO_COLOR) || TERM === 'dumb',
  }
}

/** A path that is not absolute counts as none, as the XDG specification has it. */
const configHome = (given = ''): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
