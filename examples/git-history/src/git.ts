import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** The reason why no history can be imported: one line for the person at the terminal. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

export interface Commit {
  readonly hash: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorEmail: string
  /** ISO 8601, with the author's offset. */
  readonly authoredAt: string
  readonly committedAt: string
  readonly message: string
}

export interface Repository {
  readonly directory: string
  readonly name: string
  /** The oldest commit: the same in every full clone, regardless of its name. */
  readonly root: string
  readonly commitCount: number
}

/** Returns the repository of a directory. Throws a HistoryError if none exists, or it is empty. */
export async function openRepository(directory: string): Promise<Repository> {
  const gitDirectory = await git(directory, ['rev-parse', '--absolute-git-dir']).catch((error: unknown) => {
    throw new HistoryError(`${resolve(directory)} cannot be read as a Git repository: ${reasonOf(error)}`)
  })
  const hasCommits = await git(directory, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']).catch(() => '')
  if (hasCommits === '') throw new HistoryError(`The Git repository ${gitDirectory} has no commits yet`)
  const roots = await git(directory, ['rev-list', '--max-parents=0', '--date-order', 'HEAD'])
  const count = await git(directory, ['rev-list', '--count', 'HEAD'])
  const bare = basename(gitDirectory) !== '.git'
  return {
    directory,
    name: basename(bare ? gitDirectory : resolve(gitDirectory, '..')).replace(/\.git$/, ''),
    root: roots.split('\n').at(-1) as string,
    commitCount: Number(count),
  }
}

const FIELDS = ['%H', '%P', '%aN', '%aE', '%aI', '%cI', '%B']

/** Returns all commits, oldest first and parents before children, in Git's order. */
export async function* commitsOf({ directory }: Repository): AsyncGenerator<Commit> {
  const args = ['log', '-z', '--reverse', '--topo-order', '--encoding=UTF-8', '--no-show-signature', '--no-color']
  const child = spawn('git', ['-C', directory, ...args, `--format=${FIELDS.join('%x00')}`, 'HEAD'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const errors = text(child.stderr)
  child.stdout.setEncoding('utf8')
  let fields: string[] = []
  let rest = ''
  for await (const chunk of child.stdout) {
    // NUL separates the fields: neither a message nor a name can contain it.
    const pieces = (rest + chunk).split('\0')
    rest = pieces.pop() as string
    for (const piece of pieces) {
      fields.push(piece)
      if (fields.length === FIELDS.length) {
        yield commitOf(fields)
        fields = []
      }
    }
  }
  const [code] = await ended
  if (code !== 0) throw new HistoryError(`git log failed: ${firstLine(await errors)}`)
}

function commitOf(fields: readonly string[]): Commit {
  const [hash, parents, authorName, authorEmail, authoredAt, committedAt, message] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    authorName,
    authorEmail,
    authoredAt,
    committedAt,
    message: message.trimEnd(),
  }
}

async function git(directory: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', directory, ...args], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.trim()
}

function reasonOf(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string }
  return code === 'ENOENT' ? 'Git is not installed' : firstLine(stderr ?? String(error))
}

const firstLine = (lines: string) => (lines.split('\n', 1)[0] ?? '').replace(/^fatal: /, '')
