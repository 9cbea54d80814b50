import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'

/** A block of shell lines, and what the document says they print. */
export interface Step {
  readonly lines: string
  readonly expected: string | undefined
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm

/** The `sh` blocks of a Markdown text, each with the `json` or `text` block after it. */
export function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(FENCE)].map(([, language, text]) => ({ language, text: text as string }))
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    const isOutput = next?.language === 'json' || next?.language === 'text'
    return [{ lines: text, expected: isOutput ? next.text : undefined }]
  })
}

/** What a step printed, as `…` in the document allows: a pattern of all its output. */
export function patternOf(expected: string): RegExp {
  const escaped = expected.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Answers are one line each and end without a newline, so that those of several calls follow each other directly.
  return new RegExp(escaped.replaceAll('…', '[\\s\\S]*?').replaceAll('\n', '\\n?'))
}

/** A call of curl. `exit` is undefined for one that was ended from outside. */
export interface Call {
  readonly arguments: string
  readonly status: number
  readonly exit: number | undefined
}

export interface Session {
  /** What each step printed, on both streams. */
  readonly outputs: string[]
  readonly calls: Call[]
}

export const hasTools = (tools: readonly string[]) =>
  tools.every((tool) => spawnSync(tool, ['--version']).error === undefined)

/** A curl that notes how each of its calls went; one that watches is left to itself. */
const CURL = `#!/usr/bin/env bash
note=$(mktemp "$NOTES/XXXXXX")
printf '%s' "$*" >"$note.arguments"
PATH=\${PATH#*:}
[[ $* != *sSN* ]] || exec curl "$@" --dump-header "$note.headers"
curl "$@" --dump-header "$note.headers"
exit=$?
printf '%s' "$exit" >"$note.exit"
exit "$exit"
`

const END = '@@ end of step @@'
const LONGEST_MS = 60_000

/** Runs the lines of all steps in one bash, the way they would be typed one after the other. */
export async function runSteps(steps: readonly Step[]): Promise<Session> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-shell-'))
  try {
    await writeFile(join(directory, 'curl'), CURL, { mode: 0o755 })
    // biome-ignore lint/style/noProcessEnv: a shell finds its tools by the PATH
    const { PATH } = process.env
    const shell = spawn('bash', ['-c', script(steps)], {
      timeout: LONGEST_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: directory + delimiter + PATH, HOME: directory, NOTES: directory },
    })
    const output = await text(shell.stdout)
    return { outputs: output.split(END).slice(0, -1), calls: await callsIn(directory) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const script = (steps: readonly Step[]) =>
  `exec 2>&1\n${steps.map(({ lines }) => `${lines}\nprintf '%s' '${END}'\n`).join('')}`

async function callsIn(directory: string): Promise<Call[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.arguments'))
  return Promise.all(
    names.map(async (name) => {
      const read = (kind: string) =>
        readFile(join(directory, name.replace(/arguments$/, kind)), 'utf8').catch(() => undefined)
      const [sent = '', headers = '', exit] = [await read('arguments'), await read('headers'), await read('exit')]
      const status = Number(/^HTTP\/\S+ (\d+)/.exec(headers)?.[1] ?? 0)
      return { arguments: sent, status, exit: exit === undefined ? undefined : Number(exit) }
    }),
  )
}
