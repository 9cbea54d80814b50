import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { eventually } from './eventually.js'
import { freePorts } from './port.js'
import { END_WITH_STDIN } from './program.js'

const LIBRARY = createRequire(import.meta.url).resolve('@20minutes/s3rver')

/** Its package lacks its program. */
const programFor = (options: object) => `
  const S3rver = require(${JSON.stringify(LIBRARY)})
  new S3rver(${JSON.stringify(options)}).run().then(() => console.log('listening'))`

const BUCKET = 'spaces'
const PREFIX = 'files'
/** The end of the name of the file that has the bytes of an object. */
const OBJECT = '._S3rver_object'

/**
 * A store compatible with S3, which checks signatures, as a process: it can be killed, and restarted at the same address
 * with the same objects. Unlike S3, it keeps a part of an interrupted upload.
 */
export class BucketServer {
  #child: ChildProcess | null = null

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async at(directory: string, port?: number): Promise<BucketServer> {
    return new BucketServer(directory, port ?? (await freePorts(1)))
  }

  /** The settings of a server that stores files here. */
  get settings() {
    return {
      FILES_URL: `s3://${BUCKET}/${PREFIX}?endpoint=http://127.0.0.1:${this.port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }
  }

  /** Starts it, and waits until it listens. */
  async start(): Promise<void> {
    const { directory, port } = this
    const configureBuckets = [{ name: BUCKET }]
    const program = programFor({ directory, port, address: '127.0.0.1', silent: true, configureBuckets })
    const child = spawn(process.execPath, ['--import', END_WITH_STDIN, '--eval', program])
    this.#child = child
    let log = ''
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (log += text))
    await eventually(() => log.includes('listening') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(`The store of objects did not start: ${log}`)
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }

  /** Makes it accept connections and answer nothing. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Returns the path of the file with the bytes of an object. */
  fileOf(contentId: string): string {
    return join(this.directory, BUCKET, PREFIX, contentId + OBJECT)
  }

  /** Returns the ids of all objects. */
  async objects(): Promise<string[]> {
    const files = await readdir(join(this.directory, BUCKET, PREFIX)).catch(() => [])
    return files.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length))
  }
}
