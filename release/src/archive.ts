import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * Packs a directory under its own name. The same files make the same bytes, wherever, whenever and by whomever they are
 * packed: in the order of their names, of one time, owned by nobody in particular.
 */
export async function pack(directory: string, file: string, seconds: number): Promise<void> {
  const alike = [
    ...['--format=ustar', '--sort=name', `--mtime=@${seconds}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go-w,a+rX'],
  ]
  const tar = spawn('tar', ['--create', ...alike, '--directory', dirname(directory), basename(directory)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(tar, 'close')
  await pipeline(tar.stdout, createGzip(), createWriteStream(file))
  const [code] = await closed
  if (code !== 0) throw new Error(`tar ended with code ${code}: it has to be GNU tar`)
}
