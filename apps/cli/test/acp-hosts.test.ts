import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Actor,
  environment,
  eventually,
  freshHome,
  MAIN,
  signedInAs,
  spaces,
  startSpaces,
  useServer,
} from './support/index.js'
import { MODEL_SAYS, scriptedModel } from './support/scripted-model.js'

/**
 * The real programs of well-known hosts, each against a scripted model on loopback. They take hundreds of megabytes, so
 * they run by hand: `ACP_HOSTS` is the directory where npm installs them.
 */
// biome-ignore lint/style/noProcessEnv: who runs it sets where the programs are
const { ACP_HOSTS, ACP_HOSTS_NODE = process.execPath } = process.env

interface Program {
  /** npm packages, each with its version. */
  readonly packages: readonly string[]
  readonly env: (model: string) => Readonly<Record<string, string>>
  /** Files in its home directory. */
  readonly files: (model: string) => Readonly<Record<string, string>>
}

interface Host extends Program {
  readonly name: string
  /** The command that starts it as an ACP agent. */
  readonly acp: string
  /** Returns the message that makes its model call its tool that runs commands. */
  readonly shell: (command: string) => string
  /** Whether it cannot find its own sessions again. */
  readonly isForgetful?: true
  /** The command that reads a prompt from standard input, with all tools of the server allowed. */
  readonly prompt: string
  /** The message that makes its model look for the tools first, if it does not know them. */
  readonly search?: string
  /** Ways to add our MCP server: a command, or files in its working directory. */
  readonly add: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

const shellCall =
  (tool: string, more = {}) =>
  (command: string) =>
    `USE ${tool} ${JSON.stringify({ command, ...more })}`

const HOSTS: readonly Host[] = [
  {
    name: 'Gemini CLI',
    packages: ['@google/gemini-cli@0.61.0'],
    env: (model) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: model, GEMINI_MODEL: 'gemini-2.5-pro' }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    acp: 'gemini --acp',
    shell: shellCall('run_shell_command', { description: 'Touch' }),
    // Its `session/load` always answers that there are none.
    isForgetful: true,
    prompt: 'env GEMINI_CLI_TRUST_WORKSPACE=true gemini',
    add: { command: 'gemini mcp add --trust spaces spaces mcp --profile scout' },
  },
  {
    name: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    // Otherwise it requests a list of models from its vendor first.
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    files: (model) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'x' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        permission: { bash: 'ask' },
        autoupdate: false,
      }),
    }),
    acp: 'opencode acp',
    shell: shellCall('bash', { description: 'Touch' }),
    prompt: 'opencode run',
    add: {
      file: {
        'opencode.json': JSON.stringify({
          mcp: { spaces: { type: 'local', command: ['spaces', 'mcp', '--profile', 'scout'] } },
        }),
      },
    },
  },
  {
    name: 'Codex',
    packages: ['@agentclientprotocol/codex-acp@2.6.0', '@openai/codex@0.171.0'],
    // Otherwise it reviews the requests of its model itself, and asks no actor.
    env: () => ({ INITIAL_AGENT_MODE: 'read-only' }),
    files: (model) => ({
      '.codex/config.toml': `
model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
wire_api = "responses"
`,
    }),
    acp: 'codex-acp',
    // It asks when its model wants to leave the sandbox.
    shell: (cmd) =>
      `USE exec_command ${JSON.stringify({ cmd, sandbox_permissions: 'require_escalated', justification: 'To touch' })}`,
    prompt: 'codex exec --skip-git-repo-check -',
    add: { command: 'codex mcp add spaces -- spaces mcp --profile scout' },
  },
  {
    name: 'Claude Code',
    packages: ['@agentclientprotocol/claude-agent-acp@0.101.0', '@anthropic-ai/claude-code@2.1.332'],
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    // Otherwise it runs in its automatic mode, and asks no actor.
    files: () => ({ '.claude/settings.json': JSON.stringify({ permissions: { defaultMode: 'default' } }) }),
    acp: 'claude-agent-acp',
    shell: shellCall('Bash', { description: 'Touch' }),
    search: `USE ToolSearch ${JSON.stringify({ query: 'select:mcp__spaces__wait_for_attention,mcp__spaces__say,mcp__spaces__mark_done' })}`,
    prompt: 'claude --allowedTools mcp__spaces -p',
    add: {
      command: 'claude mcp add spaces -- spaces mcp --profile scout',
      'command, with the address and the key':
        'claude mcp add --transport http spaces $SPACES_URL/mcp --header "Authorization: Bearer $SPACES_TOKEN"',
    },
  },
]

/** A program for MCP alone, without a model: its user calls the tools. */
const INSPECTOR: Program = {
  packages: ['@modelcontextprotocol/inspector@2.12.0'],
  env: () => ({}),
  files: () => ({}),
}

/** Installs the packages of a program, if necessary. Returns the directory of its commands. */
async function installed({ packages }: Program): Promise<string> {
  const directory = join(ACP_HOSTS as string, packages.join('+').replace(/[^\w.+-]/g, '_'))
  const bin = join(directory, 'node_modules/.bin')
  if (existsSync(bin)) return bin
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'package.json'), '{}')
  // The shell of this repository has a relative path.
  const options = ['--no-audit', '--no-fund', '--script-shell=sh']
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: directory })
  return bin
}

/** Starts a model for a program, in a home where the agent has signed in as `scout`. */
async function surroundings(host: Program, scout: Actor) {
  const bin = await installed(host)
  const model = await scriptedModel()
  onTestFinished(() => model.close())
  const home = await freshHome()
  await writeFiles(home, host.files(model.url))
  await spaces(['login', '--profile', 'scout', '--url', server.url], { home, stdin: scout.api_key }).expect(0)
  const PATH = [bin, dirname(MAIN), dirname(ACP_HOSTS_NODE), environment({}).PATH].join(delimiter)
  return { home, env: { ...host.env(model.url), PATH } }
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
}

async function team() {
  const ada = await server.registerHuman('Ada')
  const scout = await server.registerAgent(ada, 'Scout')
  const path = await server.openSpace(ada)
  await server.as(scout).post(`${path}/join`).expect(200)
  const mention = (text: string): Promise<Event> =>
    server
      .as(ada)
      .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] } })
      .expect(200)
  const answers = async (): Promise<Event[]> =>
    (await server.as(ada).get(`${path}/events`).expect(200)).filter(
      ({ posted_by }: Event) => posted_by === scout.actor_id,
    )
  return { ada, scout, path, mention, answers }
}

interface Event {
  readonly event_id: string
  readonly space_id: string
  readonly posted_by: string
}

const LONG = 180_000

const server = useServer()

describe.runIf(ACP_HOSTS)('a host from npm', { timeout: 1_200_000 }, () => {
  it.each(HOSTS)('$name takes part as an ACP agent', async (host) => {
    const { ada, scout, path, mention, answers } = await team()
    const { home, env } = await surroundings(host, scout)
    const run = () =>
      startSpaces(['agent', 'run', '--profile', 'scout', '--acp', host.acp], { home, env, longestMs: 3 * LONG })
    let running = run()
    const come = <T>(what: () => Promise<T>): Promise<T> =>
      eventually(what, LONG).catch((error: Error) => {
        throw new Error(`${error.message}\n${running.stderr}`)
      })
    const answered = async (...events: Event[]): Promise<void> => {
      await come(async () => (await answers()).length === events.length)
      const expected = events.map(({ event_id }) => ({ parent_event_id: event_id, text: MODEL_SAYS }))
      expect(await answers()).toMatchObject(expected)
    }
    const session = async () => {
      const memory = await readFile(join(home, '.config/spaces/agents', `${scout.actor_id}.json`), 'utf8')
      return JSON.parse(memory)[path.slice('/api/spaces/'.length)].session.id
    }
    const first = await mention('Where to?')
    await answered(first)

    const second = await mention(host.shell('touch walked'))
    const decision = await come(
      async () => (await server.as(ada).get(`${path}/decisions?status=proposed`).expect(200))[0],
    )
    expect(decision).toMatchObject({ posted_by: scout.actor_id, assignees: [ada.actor_id] })
    expect(decision.text).toContain('touch walked')
    process.stderr.write(`${host.name}: ${decision.text}\n`)
    expect(existsSync(join(home, 'walked'))).toBe(false)
    const { id: option } = decision.options.find(({ denies }: { denies: boolean }) => !denies)
    const settlement = { resolved_by: ada.actor_id, status: 'resolved', resolution: 'Yes', option }
    await server.as(ada).put(`${path}/decisions/${decision.decision_id}/resolve`, settlement).expect(200)
    await answered(first, second)
    expect(existsSync(join(home, 'walked'))).toBe(true)
    const before = await session()
    running.kill('SIGTERM')
    await running.end()

    const third = await mention('And then?')
    running = run()
    await answered(first, second, third)
    expect((await session()) === before).toBe(!host.isForgetful)
  })

  const ways = HOSTS.flatMap((host) =>
    Object.entries(host.add).map(([way, add]) => ({ name: host.name, host, way, add })),
  )
  it.each(ways)('$name takes part over MCP, added by a $way', async ({ host, add }) => {
    const { ada, scout, path, mention, answers } = await team()
    const { home, env } = await surroundings(host, scout)
    const cwd = join(home, 'project')
    await mkdir(cwd)
    const shell = (command: string, more = {}) =>
      promisify(execFile)('sh', ['-c', command], {
        cwd,
        env: environment({ home, env: { ...env, ...more } }),
        timeout: LONG,
      })
    if (typeof add === 'string') await shell(add, signedInAs(server, scout))
    else await writeFiles(cwd, add)

    const space_id = path.slice('/api/spaces/'.length)
    const quiet = `quiet-${space_id}`
    await server.openSpace(ada, quiet)
    await server.as(scout).post(`/api/spaces/${quiet}/join`).expect(200)
    const { event_id } = await mention('Where to?')
    const prompt = [
      ...(host.search ? [host.search] : []),
      // No event comes in this space: the answer takes 45 seconds, which the host must wait for.
      `USE wait_for_attention ${JSON.stringify({ space_id: quiet })}`,
      'USE wait_for_attention {}',
      `USE say ${JSON.stringify({ space_id, text: 'Hello from MCP', parent_event_id: '$event' })}`,
      `USE mark_done ${JSON.stringify({ through: [{ space_id, event_id: '$event' }] })}`,
    ]
    await writeFile(join(home, 'prompt.txt'), prompt.join('\n'))
    const { stdout, stderr } = await shell(`exec ${host.prompt} < ../prompt.txt`).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const output = `${stdout}\n${stderr}`
    expect(await answers(), output).toMatchObject([{ parent_event_id: event_id, text: 'Hello from MCP' }])
    expect((await server.as(scout).get('/api/actors/me/inbox').expect(200)).items, output).toEqual([])
  })

  it('calls the tools with the settings that most hosts read', async () => {
    const { scout, mention, answers } = await team()
    const { home, env } = await surroundings(INSPECTOR, scout)
    const server = { command: 'spaces', args: ['mcp', '--profile', 'scout'] }
    await writeFiles(home, { 'mcp.json': JSON.stringify({ mcpServers: { spaces: server } }) })
    const call = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
      const pairs = Object.entries(args).flatMap(([name, value]) => [
        '--tool-arg',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ])
      const command = `--cli --config mcp.json --server spaces --method tools/call --tool-name ${tool}`.split(' ')
      const where = { cwd: home, env: environment({ home, env }) }
      const { stdout } = await promisify(execFile)('mcp-inspector', [...command, ...pairs], where)
      return JSON.parse(stdout)
    }
    const { event_id, space_id } = await mention('Where to?')
    const { inbox } = (await call('wait_for_attention')).structuredContent
    expect(inbox.items).toMatchObject([{ event: { event_id } }])
    await call('say', { space_id, text: 'Hello from MCP', parent_event_id: event_id })
    await call('mark_done', { through: inbox.done.through })
    expect(await answers()).toMatchObject([{ parent_event_id: event_id, text: 'Hello from MCP' }])
    expect((await call('wait_for_attention', { wait: 0 })).structuredContent.inbox.items).toEqual([])
  })
})
