import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The settings in the environment, read here and nowhere else. An empty variable counts as unset. */
export interface Settings {
  /** `SPACES_URL`: the address of the server. */
  readonly url: string | undefined
  /** `SPACES_TOKEN`: a personal access token, or an agent's API key. */
  readonly token: string | undefined
  /** `SPACES_PROFILE`: the account to use. */
  readonly profile: string | undefined
  /** Where accounts are saved: `spaces` in `XDG_CONFIG_HOME`, by default `~/.config`. */
  readonly configDirectory: string
  /** `SPACES_PAGER` or `PAGER`: the pager for results that are longer than the screen. */
  readonly pager: string
  /** `NO_COLOR`, or a terminal without colours. */
  readonly plain: boolean
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { SPACES_URL, SPACES_TOKEN, SPACES_PROFILE, XDG_CONFIG_HOME, SPACES_PAGER, PAGER, NO_COLOR, TERM } = environment
  return {
    url: SPACES_URL || undefined,
    token: SPACES_TOKEN?.trim() || undefined,
    profile: SPACES_PROFILE || undefined,
    configDirectory: join(configHome(XDG_CONFIG_HOME), 'spaces'),
    // -F exits if everything fits, -R keeps colours, -X leaves the text on the screen.
    pager: SPACES_PAGER || PAGER || 'less -FRX',
    plain: Boolean(NO_COLOR) || TERM === 'dumb',
  }
}

/** A relative path counts as unset, as the XDG specification says. */
const configHome = (given = ''): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
