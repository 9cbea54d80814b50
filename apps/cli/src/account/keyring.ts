import { spawn } from 'node:child_process'

/**
 * The system's keyring, through the system's own tool. Nothing is kept there that could not be read back,
 * and a secret is never an argument, which others could see.
 */
export type Keyring = ReturnType<typeof keyringBehind>

/** How a tool is called for each of the three. */
interface Tool {
  readonly read: (account: string) => Call
  readonly keep: (account: string, secret: string) => Call
  readonly forget: (account: string) => Call
}

interface Call {
  readonly command: string
  readonly args: readonly string[]
  readonly input?: string
}

const SERVICE = 'spaces'

/** libsecret's tool, for the keyrings of GNOME, KDE and others. */
const SECRET_TOOL: Tool = {
  read: (account) => ({ command: 'secret-tool', args: ['lookup', ...attributesOf(account)] }),
  keep: (account, secret) => ({
    command: 'secret-tool',
    args: ['store', `--label=${SERVICE}: ${account}`, ...attributesOf(account)],
    input: secret,
  }),
  forget: (account) => ({ command: 'secret-tool', args: ['clear', ...attributesOf(account)] }),
}

const attributesOf = (account: string) => ['service', SERVICE, 'account', account]

/** The tool of macOS. It reads a command with a secret from standard input. */
const SECURITY: Tool = {
  read: (account) => ({ command: 'security', args: ['find-generic-password', '-s', SERVICE, '-a', account, '-w'] }),
  keep: (account, secret) => ({
    command: 'security',
    args: ['-i'],
    input: `add-generic-password -U -s ${SERVICE} -a ${quoted(account)} -w ${quoted(secret)}\n`,
  }),
  forget: (account) => ({ command: 'security', args: ['delete-generic-password', '-s', SERVICE, '-a', account] }),
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** The keyring of a system; null for one whose tool is not known. */
export function keyringOf(platform: NodeJS.Platform): Keyring | null {
  if (platform === 'darwin') return keyringBehind(SECURITY)
  return platform === 'linux' ? keyringBehind(SECRET_TOOL) : null
}

const keyringBehind = (tool: Tool) => {
  /** The secret of an account; null if there is none, or it cannot be read. */
  const read = async (account: string) => (await answerTo(tool.read(account)))?.trimEnd() || null
  return {
    read,
    /** Whether the secret is kept. */
    keep: async (account: string, secret: string): Promise<boolean> => {
      const kept = await answerTo(tool.keep(account, secret))
      return kept !== null && (await read(account)) === secret
    },
    forget: async (account: string): Promise<void> => {
      await answerTo(tool.forget(account))
    },
  }
}

/** A person has so long to unlock the keyring. */
const TIMEOUT_MS = 60_000

/** The output of a tool; null if it fails, or is not there. */
function answerTo({ command, args, input = '' }: Call): Promise<string | null> {
  return new Promise((resolve) => {
    const tool = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS })
    let output = ''
    tool.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    tool.stdin.on('error', () => {})
    tool.stdin.end(input)
    tool.on('error', () => resolve(null))
    tool.on('close', (code) => resolve(code === 0 ? output : null))
  })
}
