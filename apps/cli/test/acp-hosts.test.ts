import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
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
  startSpaces,
  useServer,
} from './support/index.js'
import { MODEL_SAYS, scriptedModel } from './support/scripted-model.js'

/**
 * The real programs of well-known hosts, each against a model on loopback that does what it is told. They are hundreds of
 * megabytes, so they are walked by hand: `ACP_HOSTS` is a directory that they are installed into from npm.
 */
// biome-ignore lint/style/noProcessEnv: whoever walks says where the programs are
const { ACP_HOSTS, ACP_HOSTS_NODE = process.execPath } = process.env

interface Host {
  readonly name: string
  /** Packages of npm, each with its version. */
  readonly packages: readonly string[]
  /** How it is started as an agent of ACP. */
  readonly acp: string
  /** Its tool that runs commands, and what a call of it looks like. */
  readonly shell: (command: string) => string
  readonly env: (model: string, home: string) => Readonly<Record<string, string>>
  /** Files in its home, or where it works. */
  readonly files?: (model: string) => Readonly<Record<string, string>>
  /** How it is started with a prompt, and the spaces of an agent as MCP tools. */
  readonly mcp: {
    readonly files: (model: string, bridge: Bridge) => Readonly<Record<string, string>>
    readonly command: string
  }
}

interface Bridge {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const shellCall =
  (tool: string, more = {}) =>
  (command: string) =>
    `USE ${tool} ${JSON.stringify({ command, ...more })}`

const opencode = (model: string, mcp = {}) =>
  JSON.stringify({
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
    mcp,
  })

const codex = (model: string, mcp = '') => `
model = "scripted"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
${mcp}
[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
wire_api = "responses"
`

const HOSTS: readonly Host[] = [
  {
    name: 'Gemini CLI',
    packages: ['@google/gemini-cli@0.61.0'],
    acp: 'gemini --acp',
    shell: shellCall('run_shell_command', { description: 'Touch' }),
    env: (model) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: model, GEMINI_MODEL: 'gemini-2.5-pro' }),
    mcp: {
      files: (_, bridge) => ({
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          mcpServers: { spaces: { ...bridge, trust: true } },
        }),
      }),
      command: 'gemini --skip-trust -p',
    },
  },
  {
    name: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    acp: 'opencode acp',
    shell: shellCall('bash', { description: 'Touch' }),
    env: () => ({}),
    files: (model) => ({ 'opencode.json': opencode(model) }),
    mcp: {
      files: (model, { command, args, env: environment }) => ({
        'opencode.json': opencode(model, {
          spaces: { type: 'local', command: [command, ...args], environment, timeout: LONG },
        }),
      }),
      command: 'opencode run',
    },
  },
  {
    name: 'Codex',
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    acp: 'codex-acp',
    shell: (command) => `USE exec_command ${JSON.stringify({ cmd: command })}`,
    env: (_, home) => ({ CODEX_HOME: join(home, '.codex'), INITIAL_AGENT_MODE: 'read-only', OPENAI_API_KEY: 'x' }),
    files: (model) => ({ '.codex/config.toml': codex(model) }),
    mcp: {
      files: (model, { command, args, env }) => ({
        '.codex/config.toml': `${codex(model)}
[mcp_servers.spaces]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
default_tools_approval_mode = "approve"
env = { ${Object.entries(env)
          .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
          .join(', ')} }
`,
      }),
      command: 'codex exec --skip-git-repo-check',
    },
  },
  {
    name: 'Claude Code',
    packages: ['@agentclientprotocol/claude-agent-acp@0.101.0', '@anthropic-ai/claude-code@2.1.331'],
    acp: 'claude-agent-acp',
    shell: shellCall('Bash', { description: 'Touch' }),
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Else its model has to look for tools before it can call them.
      ENABLE_TOOL_SEARCH: 'false',
    }),
    mcp: {
      files: (_, bridge) => ({ 'mcp.json': JSON.stringify({ mcpServers: { spaces: bridge } }) }),
      command: 'claude --mcp-config mcp.json --allowedTools "mcp__spaces" -p',
    },
  },
]

/** Installs what a host consists of, unless it is there. Its programs are found in the directory that is returned. */
async function installed({ packages }: Host): Promise<string> {
  const directory = join(ACP_HOSTS as string, packages.join('+').replace(/[^\w.+-]/g, '_'))
  const bin = join(directory, 'node_modules/.bin')
  if (existsSync(bin)) return bin
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'package.json'), '{}')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: directory })
  return bin
}

async function surroundings(host: Host, files: (model: string) => Readonly<Record<string, string>>) {
  const bin = await installed(host)
  const model = await scriptedModel()
  onTestFinished(() => model.close())
  const home = await freshHome()
  for (const [path, text] of Object.entries(files(model.url))) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const PATH = [bin, dirname(ACP_HOSTS_NODE), environment({}).PATH].join(delimiter)
  return { home, model, env: { ...host.env(model.url, home), PATH } }
}

async function team() {
  const ada = await server.registerHuman('Ada')
  const scout = await server.registerAgent(ada, 'Scout')
  const path = await server.openSpace(ada)
  await server.as(scout).post(`${path}/join`).expect(200)
  const said = async (): Promise<string[]> =>
    (await server.as(ada).get(`${path}/transcript`).expect(200))
      .filter(({ posted_by }: { posted_by: string }) => posted_by === scout.actor_id)
      .map(({ text }: { text: string }) => text)
  return { ada, scout, path, said }
}

const mention = (ada: Actor, scout: Actor, path: string, text: string) =>
  server
    .as(ada)
    .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] } })
    .expect(200)

const LONG = 180_000

const server = useServer()

describe.runIf(ACP_HOSTS)('a host from npm', { timeout: 1_200_000 }, () => {
  it.each(HOSTS)('$name takes part as an agent of ACP', async (host) => {
    const { home, env } = await surroundings(host, host.files ?? (() => ({})))
    const { ada, scout, path, said } = await team()
    const as = { home, env: { ...signedInAs(server, scout), ...env }, longestMs: 3 * LONG }
    const running = startSpaces(['agent', 'run', '--acp', host.acp], as)
    const done = (count: number) =>
      eventually(async () => (await said()).length === count, LONG).catch((error: Error) => {
        throw new Error(`${error.message}\n${running.stderr}`)
      })
    await mention(ada, scout, path, 'Where to?')
    await done(1)
    expect(await said()).toEqual([MODEL_SAYS])

    await mention(ada, scout, path, host.shell('touch walked'))
    const asked = () => server.as(ada).get(`${path}/decisions?status=proposed`).expect(200)
    const decision = await eventually(async () => (await asked())[0], LONG).catch((error: Error) => {
      throw new Error(`${error.message}\n${running.stderr}`)
    })
    expect(decision.text).toContain('touch walked')
    process.stderr.write(`${host.name}: ${decision.text}\n`)
    const settlement = { resolved_by: ada.actor_id, status: 'resolved', resolution: 'Yes' }
    await server.as(ada).put(`${path}/decisions/${decision.decision_id}/resolve`, settlement).expect(200)
    await done(2)
    running.kill('SIGTERM')
    await running.end()

    await mention(ada, scout, path, 'And then?')
    startSpaces(['agent', 'run', '--acp', host.acp], as)
    await eventually(async () => (await said()).length === 3, LONG)
  })

  it.each(HOSTS)('$name takes part over MCP', async (host) => {
    const { scout, path, said } = await team()
    const bridge = { command: process.execPath, args: [MAIN, 'mcp'], env: signedInAs(server, scout) }
    const { home, env } = await surroundings(host, (model) => host.mcp.files(model, bridge))
    const space_id = path.slice('/api/spaces/'.length)
    const prompt = `USE say ${JSON.stringify({ space_id, text: 'Hello from MCP' })}`
    const all = environment({ home, env })
    const ran = promisify(execFile)('sh', ['-c', `${host.mcp.command} "$PROMPT" </dev/null`], {
      cwd: home,
      env: { ...all, PROMPT: prompt },
      timeout: LONG,
    })
    const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error)
    expect(await said(), `${stdout}\n${stderr}`).toEqual(['Hello from MCP'])
  })
})
